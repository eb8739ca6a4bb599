"""A small model that has something of everything."""

from __future__ import annotations

import numpy as np

from condyle import Marker, Model, Placement
from condyle.constraints import Ball as BallConstraint
from condyle.constraints import Constraint
from condyle.joints import Ball, Pin, Slider

from ..dynamics.mechanisms import random_body


def arm(*constraints: Constraint) -> Model:
    """Pin, ball with Euler parameters, slider: 6 coordinates, 5 speeds."""
    rng = np.random.default_rng(8)
    bodies = tuple(random_body(rng, name) for name in ("upper", "lower", "hand"))
    at = Placement((0.1, -0.3, 0.05), (0.2, 0.1, -0.3))
    joints = (
        Pin("shoulder", "ground", "upper"),
        Ball("elbow", "upper", "lower", at),
        Slider("wrist", "lower", "hand", at, axis=(0.0, 0.6, 0.8)),
    )
    markers = (Marker("tip", "hand", (0.0, -0.1, 0.02)), Marker("knob", "upper", (0.05, 0.0, 0.0)))
    return Model("arm", bodies, joints, constraints=constraints, markers=markers)


def tied() -> Model:
    """The arm with its hand on a fixed point."""
    return arm(BallConstraint("tie", "ground", "hand", (0.3, -0.4, 0.1)))


def single() -> Model:
    """One speed."""
    return Model("single", (random_body(np.random.default_rng(2), "b"),), (Pin("j", "ground", "b"),))


def states(rng: np.random.Generator, *leading: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(q, u, tau) of the arm with these leading axes."""
    q, u, tau = (
        rng.uniform(-1, 1, (*leading, 6)),
        rng.uniform(-2, 2, (*leading, 5)),
        rng.uniform(-3, 3, (*leading, 5)),
    )
    q[..., 1:5] /= np.linalg.norm(q[..., 1:5], axis=-1, keepdims=True)
    return q, u, tau
