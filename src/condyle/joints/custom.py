"""A joint given by six functions of its coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from condyle.errors import closest
from condyle.functions import Constant, Function
from condyle.joints.base import Joint
from condyle.joints.checks import axis_problems, function_problems
from condyle.joints.independence import motion_problems
from condyle.joints.rotations import body_fixed
from condyle.joints.span import common_range
from condyle.spatial import Transform, unit
from condyle.spatial.placement import Vector3

ZERO = Constant(0.0)
FUNCTION_NAMES = ("rx", "ry", "rz", "tx", "ty", "tz")
PRINCIPAL_AXES: tuple[Vector3, Vector3, Vector3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@final
@dataclass(frozen=True)
class Custom(Joint):
    """Three body-fixed rotations and a translation given by functions [mobilizers, eq. 18-35].

    R = R1(rx) R2(ry) R3(rz) about `rotation_axes` [rad], p = tx a4 + ty a5 + tz a6 along `translation_axes`
    of P [m]; u = qdot. This is OpenSim's SpatialTransform, rotation1..3 and translation1..3 being rx..tz.

    `coordinates` names the 1 to 6 coordinates (a plain string will do) and orders q. `inputs` says which of
    them each function takes: six tuples of names, or a mapping such as `{"tx": ("angle",)}`. A function
    that it leaves out, or all without it, takes all coordinates in order; a Constant takes none.
    """

    rx: Function = ZERO
    ry: Function = ZERO
    rz: Function = ZERO
    tx: Function = ZERO
    ty: Function = ZERO
    tz: Function = ZERO
    inputs: tuple[tuple[str, ...], ...] = ()
    rotation_axes: tuple[Vector3, Vector3, Vector3] = PRINCIPAL_AXES
    translation_axes: tuple[Vector3, Vector3, Vector3] = PRINCIPAL_AXES

    def settled(self) -> dict[str, Any]:
        given: Any = self.inputs
        if isinstance(given, Mapping):
            for name in given:
                if name not in FUNCTION_NAMES:
                    raise ValueError(
                        f"joint {self.name!r}: inputs of {name!r}{closest(name, FUNCTION_NAMES)}"
                    )
            given = [given.get(name, ()) for name in FUNCTION_NAMES]
        return {"inputs": tuple((names,) if isinstance(names, str) else tuple(names) for names in given)}

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return tuple(coordinate.name for coordinate in self.coordinates)

    @property
    def functions(self) -> tuple[Function, ...]:
        """rx, ry, rz, tx, ty, tz."""
        return (self.rx, self.ry, self.rz, self.tx, self.ty, self.tz)

    def inputs_of(self, index: int) -> tuple[str, ...]:
        """Names of the coordinates that the function with this index takes."""
        if isinstance(self.functions[index], Constant):
            return ()
        return (self.inputs[index] if self.inputs else ()) or self.coordinate_names

    def pose(self, q: ca.SX) -> Transform:
        theta, p = self._values(q)
        return Transform(body_fixed(self.rotation_axes, ca.vertsplit(theta))[0], self._along(p))

    def hinge(self, q: ca.SX) -> ca.SX:
        theta, p = self._values(q)
        W = ca.horzcat(*body_fixed(self.rotation_axes, ca.vertsplit(theta))[1])
        return ca.vertcat(ca.mtimes(W, ca.jacobian(theta, q)), self._along(ca.jacobian(p, q)))

    def data_range(self, index: int) -> tuple[float, float] | None:
        name = self.coordinate_names[index]
        ranges = []
        for k, function in enumerate(self.functions):
            if function.domain is not None:
                pairs = zip(self.inputs_of(k), function.domain, strict=False)
                ranges += [covered for taken, covered in pairs if taken == name]
        return common_range(ranges)

    def own_problems(self) -> list[str]:
        found: list[str] = []
        names = self.coordinate_names
        if not 1 <= len(names) <= 6:
            found.append(f"a custom joint has 1 to 6 coordinates, found {len(names)}")
        if len(self.inputs) not in (0, 6):
            found.append(f"inputs must have six entries (rx, ry, rz, tx, ty, tz), found {len(self.inputs)}")
            return found
        for k, axis in enumerate((*self.rotation_axes, *self.translation_axes)):
            found += axis_problems(f"axis of {FUNCTION_NAMES[k]}", axis)
        for k, (label, function) in enumerate(zip(FUNCTION_NAMES, self.functions, strict=True)):
            found += function_problems(label, function)
            taken = self.inputs_of(k)
            for name in taken:
                if name not in names:
                    found.append(f"{label}: no coordinate {name!r}{closest(name, names)}")
            if taken and function.inputs != len(taken):
                needed = f"{function.inputs} input{'s' if function.inputs != 1 else ''}"
                kind = type(function).__name__
                found.append(
                    f"{label}: {kind} takes {needed}, not {len(taken)} {taken}; say which with `inputs`"
                )
        return found or motion_problems(self)

    def _values(self, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        """theta (3) and p (3) [eq. 18], structurally zero where a function is the constant zero."""
        position = {name: k for k, name in enumerate(self.coordinate_names)}
        values = []
        for k, function in enumerate(self.functions):
            values.append(ca.sparsify(function(*[q[position[name]] for name in self.inputs_of(k)])))
        return ca.vertcat(*values[:3]), ca.vertcat(*values[3:])

    def _along(self, values: ca.SX) -> ca.SX:
        """A values, A = [a4 a5 a6]."""
        return ca.sparsify(ca.mtimes(ca.horzcat(*[unit(axis) for axis in self.translation_axes]), values))
