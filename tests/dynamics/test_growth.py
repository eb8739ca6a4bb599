"""The absolute formulation's factorisation goes through the tree: work grows with the number of bodies."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.joints import Ball, Joint, Pin, Slider, Universal, Weld

from .mechanisms import random_body, random_placement

KINDS = (Pin, Universal, Ball, Slider, Weld)


def model(kind: type[Joint], count: int, branches: int) -> cd.Model:
    """A chain, or a tree in which every body carries two."""
    rng = np.random.default_rng(5)
    bodies = tuple(random_body(rng, f"b{k}") for k in range(count))
    joints = tuple(
        kind(f"j{k}", f"b{(k - 1) // branches}" if k else "ground", f"b{k}", random_placement(rng))
        for k in range(count)
    )
    return cd.Model("m", bodies, joints)


@pytest.mark.parametrize("branches", [1, 2])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_operations_grow_with_the_number_of_bodies(kind, branches):
    """The same number for every body that is added: nothing fills across joints."""
    counts = [
        cd.compile(model(kind, count, branches), formulation="absolute")
        .function("forward_dynamics")
        .n_instructions()
        for count in (4, 8, 16)
    ]
    first, second = (counts[1] - counts[0]) / 4, (counts[2] - counts[1]) / 8
    assert first == pytest.approx(second, rel=2e-3)
