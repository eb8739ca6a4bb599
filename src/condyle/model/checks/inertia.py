"""Mass and inertia that a rigid body can have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from condyle.errors import Problem

if TYPE_CHECKING:
    from condyle.model.body import Body
    from condyle.model.model import Model

# Published inertias are rounded; a thin rod (0.1, 0, 0.1) printed to six digits must pass.
TOLERANCE = 1e-5


def inertia_problems(model: Model, unusable: set[str]) -> Iterator[Problem]:
    """Negative mass, inertia without mass, principal moments that no mass distribution has."""
    for body in model.bodies:
        symbolic = any(isinstance(value, ca.SX) for value in (body.mass, *body.inertia))
        if f"bodies.{body.name}" not in unusable and not symbolic:
            yield from _body(body)


def _body(body: Body) -> Iterator[Problem]:
    where = f"bodies.{body.name}"
    if body.mass < 0.0:
        yield Problem(f"{where}.mass", f"must not be negative, found {body.mass} kg")
    if body.mass == 0.0 and any(body.inertia):
        what = f"inertia {body.inertia} without mass; give the body mass, or no inertia"
        yield Problem(f"{where}.inertia", what)
        return
    xx, yy, zz, xy, xz, yz = body.inertia
    moments = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    smallest, middle, largest = (float(moment) for moment in moments)
    shown = f"principal moments {smallest:.6g}, {middle:.6g}, {largest:.6g} kg m^2"
    slack = TOLERANCE * max(abs(smallest), abs(largest))
    if smallest < -slack:
        yield Problem(f"{where}.inertia", f"{shown}: none can be negative{_hint(body)}")
    elif smallest + middle < largest - slack:
        what = (
            f"{shown}: the largest exceeds the sum of the others, which no rigid body can have{_hint(body)}"
        )
        yield Problem(f"{where}.inertia", what)


def _hint(body: Body) -> str:
    """What usually went wrong."""
    if any(body.inertia[3:]):
        return " (order: xx, yy, zz, xy, xz, yz; about the centre of mass)"
    return " (it is taken about the centre of mass)"
