"""The LAO binding protein of the library against the Protein Data Bank."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.library.lao import ANGSTROM, DALTON, MASSES, MOBILE, hinge_origin, lao, structures, transition


def _atoms(path: Path) -> list[tuple[int, str, str, tuple[float, float, float]]]:
    """(residue, atom name, element, position) of chain A, hydrogens left out."""
    if not path.is_file():
        pytest.skip(f"no file {path}")
    rows = []
    for line in path.read_text().splitlines():
        if line.startswith("ATOM") and line[21] in "A " and line[16] in " A":
            name = line[12:16].strip()
            element = line[76:78].strip() or name.lstrip("0123456789")[0]
            if element != "H":
                position = (float(line[30:38]), float(line[38:46]), float(line[46:54]))
                rows.append((int(line[22:26]), name, element, position))
    return rows


def test_open_structure_is_2lao(data_folder: Path):
    """Every heavy atom of 2LAO: residue, element (so its mass) and place."""
    rows = _atoms(data_folder / "lao" / "2lao.pdb")
    found = structures()
    assert found.atom_residues.tolist() == [residue for residue, *_ in rows]
    np.testing.assert_array_equal(found.atom_masses, [MASSES[element] for _, _, element, _ in rows])
    np.testing.assert_array_equal(found.atoms, [place for *_, place in rows])


def test_closed_structure_is_1lst(data_folder: Path):
    """Every alpha carbon of 1LST at the residue of the open one."""
    closed = {
        residue: place for residue, name, _, place in _atoms(data_folder / "lao" / "1lst.pdb") if name == "CA"
    }
    opened = {
        residue: place for residue, name, _, place in _atoms(data_folder / "lao" / "2lao.pdb") if name == "CA"
    }
    found = structures()
    assert found.residues.tolist() == sorted(opened) == sorted(closed)
    np.testing.assert_array_equal(found.opened, [opened[residue] for residue in found.residues])
    np.testing.assert_array_equal(found.closed, [closed[residue] for residue in found.residues])


def test_facts_of_the_fit():
    """238 common alpha carbons, 100 of them mobile; how well both lobes superpose (independent
    implementation).
    """
    found, atoms = transition(), structures()
    assert len(atoms.residues) == 238
    assert int(atoms.mobile.sum()) == len(MOBILE) == 100
    assert found.stationary_rmsd == pytest.approx(0.391, abs=6e-4)
    assert found.mobile_rmsd == pytest.approx(0.613, abs=6e-4)
    assert found.mobile_rmsd_before == pytest.approx(13.29, abs=6e-3)
    np.testing.assert_allclose(found.R @ found.R.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(found.R) == pytest.approx(1.0)


def test_mobile_lobe_is_the_sum_of_its_atoms():
    """Mass, mass centre and inertia of the body are those of the atoms of residues 92-191."""
    atoms, (body,) = structures(), lao().bodies
    chosen = np.isin(atoms.atom_residues, MOBILE)
    mass = atoms.atom_masses[chosen] * DALTON
    place = (atoms.atoms[chosen] - hinge_origin()) * ANGSTROM
    assert body.mass == pytest.approx(mass.sum(), rel=1e-14)
    assert 9900 < body.mass / DALTON < 10000
    np.testing.assert_allclose(body.center_of_mass, mass @ place / mass.sum(), rtol=1e-12)
    # Kinetic energy of a turn about the origin, atom by atom.
    w = np.array([0.3, -0.7, 0.5])
    energy = 0.5 * float(mass @ (np.cross(w, place) ** 2).sum(axis=1))
    xx, yy, zz, xy, xz, yz = body.inertia
    central = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moved = np.cross(w, body.center_of_mass)
    assert 0.5 * (w @ central @ w + body.mass * moved @ moved) == pytest.approx(energy, rel=1e-12)


def test_one_coordinate_opens_and_closes():
    """q = 0 leaves the open structure where it is; q = 1 lays the mobile lobe where the fit lays it."""
    mechanism, atoms, found = cd.compile(lao()), structures(), transition()
    for closing, expected in ((0.0, atoms.opened), (1.0, atoms.opened @ found.R.T + found.t)):
        markers = mechanism.marker_positions([closing])
        assert list(markers) == [f"CA{residue}" for residue in MOBILE]
        place = np.stack(list(markers.values())) / ANGSTROM
        np.testing.assert_allclose(place, expected[atoms.mobile], atol=1e-12)
