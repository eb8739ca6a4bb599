"""Every identity of the papers' appendices holds at random motions; every misprint fails."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.studies.identities import IDENTITIES, Sample

SAMPLE = Sample.of(300, seed=4)
NAMES = [identity.name for identity in IDENTITIES]


@pytest.mark.parametrize("identity", IDENTITIES, ids=NAMES)
def test_identity(identity):
    residual = identity.residual(SAMPLE)
    assert residual > 0.1 if identity.misprint else residual < 1e-13


def test_the_list_covers_the_papers():
    """All of 000-16 to 39 and 002-B.1 to B.35, each name once."""
    assert len(set(NAMES)) == len(NAMES)
    found = {"000": set(), "002": set()}
    for identity in IDENTITIES:
        paper, _, numbers = identity.equation.partition("-")
        for part in numbers.removeprefix("B.").split(", "):
            first, _, last = part.partition(" to ")
            found[paper] |= set(range(int(first), int(last or first) + 1))
    assert found == {"000": set(range(16, 40)), "002": set(range(1, 36))}


def test_the_sample_is_what_it_says():
    """Rotations are orthogonal, omega = A omega', and rates are consistent with |p| = 1."""
    i = SAMPLE.i
    assert np.abs(i.A @ np.swapaxes(i.A, 1, 2) - np.eye(3)).max() < 1e-14
    assert np.abs(i.omega - np.einsum("nij,nj->ni", i.A, i.omega_in_body)).max() < 1e-13
    assert np.abs((i.p * i.pddot).sum(axis=1) + (i.pdot**2).sum(axis=1)).max() < 1e-13
    moments = np.linalg.eigvalsh(SAMPLE.inertia)
    assert (moments[:, 0] > 0).all()
    assert (moments[:, 0] + moments[:, 1] >= moments[:, 2] - 1e-15).all()
