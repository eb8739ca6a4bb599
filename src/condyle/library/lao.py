"""The LAO binding protein as two rigid lobes on a custom hinge (mobilizers, section 5): from open (q = 0) to
closed (q = 1).

Structures: Protein Data Bank 2LAO (open) and 1LST (closed), CC0. Residues 92-191 are the mobile lobe, the
rest is stationary.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from condyle.functions import Linear
from condyle.joints import Coordinate, Custom
from condyle.model import Body, Marker, Model
from condyle.spatial import Placement
from condyle.spatial.rotation import sequence_from_rotation

ANGSTROM = 1e-10  # m
DALTON = 1.66053906892e-27  # kg
MASSES = {"C": 12.011, "N": 14.007, "O": 15.999, "S": 32.06, "CA": 12.011}  # dalton; CA is the alpha carbon
MOBILE = range(92, 192)


@dataclass(frozen=True)
class Structures:
    """Atoms of the open structure, and alpha carbons of both: residues, positions (n, 3) [angstrom]."""

    atom_residues: np.ndarray
    atom_masses: np.ndarray  # dalton
    atoms: np.ndarray
    residues: np.ndarray
    opened: np.ndarray
    closed: np.ndarray

    @property
    def mobile(self) -> np.ndarray:
        """Which alpha carbons belong to the mobile lobe."""
        return np.isin(self.residues, MOBILE)


@dataclass(frozen=True)
class Transition:
    """What closes the protein: x -> R x + t for mobile atoms [angstrom], and how well each fit superposes."""

    R: np.ndarray
    t: np.ndarray
    stationary_rmsd: float
    mobile_rmsd: float
    mobile_rmsd_before: float
    closed: np.ndarray  # alpha carbons of the closed structure, stationary lobes superposed

    @property
    def angles(self) -> tuple[float, float, float]:
        """1-2-3 body-fixed [rad]."""
        return sequence_from_rotation(self.R)


@lru_cache(maxsize=1)
def structures() -> Structures:
    """The shipped coordinates."""
    text = files("condyle.library").joinpath("data/lao.csv").read_text(encoding="utf-8")
    rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    alpha = [row for row in rows if row[1] == "CA" and row[5]]
    return Structures(
        np.array([int(row[0]) for row in rows]),
        np.array([MASSES[row[1]] for row in rows]),
        np.array([[float(x) for x in row[2:5]] for row in rows]),
        np.array([int(row[0]) for row in alpha]),
        np.array([[float(x) for x in row[2:5]] for row in alpha]),
        np.array([[float(x) for x in row[5:8]] for row in alpha]),
    )


def superposition(moving: np.ndarray, fixed: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """(R, t, rmsd) of the least-squares x -> R x + t that lays `moving` (n, 3) on `fixed` (Kabsch)."""
    a, b = moving.mean(axis=0), fixed.mean(axis=0)
    U, _, Vt = np.linalg.svd((moving - a).T @ (fixed - b))
    handed = np.diag([1.0, 1.0, np.sign(np.linalg.det(U @ Vt))])
    R = (U @ handed @ Vt).T
    t = b - R @ a
    return R, t, rmsd(moving @ R.T + t, fixed)


def rmsd(a: np.ndarray, b: np.ndarray) -> float:
    """Root of the mean squared distance."""
    return float(np.sqrt(((a - b) ** 2).sum(axis=1).mean()))


@lru_cache(maxsize=1)
def transition() -> Transition:
    """Superpose the stationary lobes, then fit the mobile lobe of the open structure to that of the closed
    one.
    """
    s = structures()
    R, t, stationary = superposition(s.closed[~s.mobile], s.opened[~s.mobile])
    closed = s.closed @ R.T + t
    before = rmsd(s.opened[s.mobile], closed[s.mobile])
    R_m, t_m, mobile = superposition(s.opened[s.mobile], closed[s.mobile])
    return Transition(R_m, t_m, stationary, mobile, before, closed)


def hinge_origin() -> np.ndarray:
    """Centroid of the mobile lobe's alpha carbons in the open structure [angstrom]: origin of both hinge
    frames at q = 0.
    """
    s = structures()
    return s.opened[s.mobile].mean(axis=0)


def lao() -> Model:
    """Stationary lobe fixed to ground in the axes of the open structure; one coordinate, `hinge.closing`; no
    gravity.
    """
    found, s, origin = transition(), structures(), hinge_origin()
    shift = (found.R @ origin + found.t - origin) * ANGSTROM
    rx, ry, rz = (float(value) for value in found.angles)
    tx, ty, tz = (float(value) for value in shift)
    placement = Placement(_tuple(origin * ANGSTROM))
    hinge = Custom(
        "hinge",
        "ground",
        "mobile",
        placement,
        coordinates=(Coordinate("closing", range=(0.0, 1.0)),),
        rx=Linear(rx),
        ry=Linear(ry),
        rz=Linear(rz),
        tx=Linear(tx),
        ty=Linear(ty),
        tz=Linear(tz),
    )
    markers = tuple(
        Marker(f"CA{residue}", "mobile", _tuple((place - origin) * ANGSTROM))
        for residue, place in zip(s.residues[s.mobile], s.opened[s.mobile], strict=True)
    )
    return Model("lao", (_lobe(s, origin),), (hinge,), markers=markers, gravity=(0.0, 0.0, 0.0))


def _lobe(s: Structures, origin: np.ndarray) -> Body:
    """The mobile lobe's atoms as a rigid body with its origin at the hinge."""
    chosen = np.isin(s.atom_residues, MOBILE)
    mass = s.atom_masses[chosen] * DALTON
    place = (s.atoms[chosen] - origin) * ANGSTROM
    center = mass @ place / mass.sum()
    r = place - center
    I = np.einsum(
        "i,ijk->jk", mass, (r**2).sum(axis=1)[:, None, None] * np.eye(3) - r[:, :, None] * r[:, None, :]
    )
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    x, y, z = (float(value) for value in center)
    xx, yy, zz, xy, xz, yz = (float(value) for value in inertia)
    return Body("mobile", float(mass.sum()), (x, y, z), (xx, yy, zz, xy, xz, yz))


def _tuple(values: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
