"""Which components of relative Euler parameters guide a joint well, and which fail, at which frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import casadi as ca
import numpy as np

from condyle.analyses.driver_input import checked_drivers, checked_targets
from condyle.compiled.mechanism import Mechanism
from condyle.drivers import Driver, EulerRotation, Motion
from condyle.drivers.rotational import RotationalDriver
from condyle.joints.base import Joint
from condyle.mechanism.tree import Tree
from condyle.spatial import rotation_from_euler_parameters
from condyle.spatial.euler import G

NEAR = 0.02  # regularity below which a choice is near singular
POOR = 0.1  # of the best choice's regularity


@dataclass(frozen=True)
class Choice:
    """Components that guide a joint; regularity at its least, 0 (singular) to 1, and the frame where.

    `passes`: the determinant changes its sign between frames, so the motion goes through a singularity.
    """

    components: tuple[int, ...]
    regularity: float
    frame: int
    passes: bool

    @property
    def name(self) -> str:
        return " ".join(f"e{k}" for k in self.components)


@dataclass(frozen=True)
class JointRegularity:
    """All choices of as many components as a joint has freedoms, along a prescribed motion.

    regularity: |det d(components)/d(turns about the joint's axes)| times 2 per freedom. That is the omitted
    component |e_k| of a spherical joint, |u_k cos(phi/2)| or |sin(phi/2)| of a revolute, |cos((b1 + b2)/2)
    cos((b1 - b2)/2)| of a universal by two of its three axes. `chosen`: the driver's own, None where it has
    vectors or another number of rows.
    """

    driver: str
    joint: str
    choices: tuple[Choice, ...]
    chosen: Choice | None

    @property
    def best(self) -> Choice:
        """Of the choices that pass no singularity the most regular; of all, where every one does."""
        return max(self.choices, key=lambda choice: (not choice.passes, choice.regularity))

    @property
    def singular(self) -> tuple[Choice, ...]:
        """Choices that pass a singularity or come near one."""
        return tuple(choice for choice in self.choices if choice.passes or choice.regularity < NEAR)

    @property
    def warning(self) -> str:
        """What is wrong with the chosen components, "" if nothing."""
        own, best = self.chosen, self.best
        if own is None or own == best:
            return ""
        if not own.passes and own.regularity >= max(NEAR, POOR * best.regularity):
            return ""
        what = "pass a singularity" if own.passes else "come near a singularity"
        return (
            f"driver {self.driver!r}: the components {own.name} {what} (regularity {own.regularity:.3f} at "
            f"frame {own.frame}); better: {best.name} ({best.regularity:.3f} at least)"
        )

    def lines(self) -> list[str]:
        """One line per choice, the best first."""
        ordered = sorted(self.choices, key=lambda choice: (choice.passes, -choice.regularity))
        return [
            f"{self.joint} {choice.name}: regularity {choice.regularity:.3f} at frame {choice.frame}"
            + (", passes a singularity" if choice.passes else "")
            + (" (chosen)" if choice == self.chosen else "")
            for choice in ordered
        ]


def driver_regularity(
    mechanism: Mechanism, drivers: Sequence[Driver], motion: Mapping[str, Motion]
) -> dict[str, JointRegularity]:
    """Every choice of components for every rotational driver of one joint, along its prescribed motion.

    {driver: ...}, for drivers whose targets are orientations p* and whose joint only turns. For joints of
    closed chains, where the components of several joints count together, see `chain_regularity`.
    """
    drivers = checked_drivers(mechanism, drivers)
    values, _, _ = checked_targets(drivers, motion)
    tree = mechanism.tree.described or mechanism.tree
    found, start = {}, 0
    for driver in drivers:
        own = values[..., start : start + len(driver.targets)]
        start += len(driver.targets)
        report = examine_driver(tree, driver, own)
        if report is not None:
            found[driver.name] = report
    return found


def examine_driver(tree: Tree, driver: Driver, targets: np.ndarray) -> JointRegularity | None:
    """The report of one driver along p* (..., frames, 4); None where it guides no joint by orientation."""
    if not (isinstance(driver, RotationalDriver) and driver.orientation):
        return None
    joint = next((j for j in _joints(tree) if (j.parent, j.child) == (driver.parent, driver.child)), None)
    turns = None if joint is None else _turns(joint, driver)
    if joint is None or turns is None:
        return None
    p = targets.reshape(-1, 4)
    known = np.flatnonzero(np.isfinite(p).all(axis=-1))
    if not known.size:
        return None
    rates = np.array(turns.map(len(known))(p[known].T)).reshape(4, len(known), -1).swapaxes(0, 1)
    frames = targets.shape[-2]
    freedoms = rates.shape[-1]
    choices = tuple(
        _choice(components, np.linalg.det(rates[:, list(components)]) * 2**freedoms, known, frames)
        for components in combinations(range(4), freedoms)
    )
    own = driver.components if isinstance(driver, EulerRotation) else None
    chosen = next((c for c in choices if own is not None and set(c.components) == set(own)), None)
    return JointRegularity(driver.name, joint.name, choices, chosen)


def _choice(components: tuple[int, ...], determinant: np.ndarray, known: np.ndarray, frames: int) -> Choice:
    least = int(np.argmin(np.abs(determinant)))
    neighbours = (np.diff(known) == 1) & (known[1:] % frames != 0)  # trials are no neighbours
    passes = bool((neighbours & (determinant[1:] * determinant[:-1] < 0)).any())
    return Choice(components, float(abs(determinant[least])), int(known[least] % frames), passes)


def _joints(tree: Tree) -> list[Joint]:
    return [link.joint.forward for link in tree.links]


@lru_cache(maxsize=512)
def _turns(joint: Joint, driver: RotationalDriver) -> ca.Function | None:
    """p_ij (4) -> d p_ij / d(turns about the joint's axes) (4 x freedoms)."""
    p = ca.SX.sym("p", 4)
    P, B = joint.parent_frame.transform().R, joint.child_frame.transform().R
    parent, child = driver.parent_frame.transform().R, driver.child_frame.transform().R
    R = ca.mtimes([P.T, parent, rotation_from_euler_parameters(p), child.T, B])
    axes = joint.turning_axes(R)
    if axes is None or axes.shape[1] == 0:
        return None
    in_driver = ca.mtimes([parent.T, P, axes])
    return ca.Function("turns", [p], [ca.densify(ca.mtimes(G(p).T, in_driver) / 2)])
