"""Joints as chains of one-degree-of-freedom joints with massless bodies between them [section 3.1 of the
paper].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from condyle.errors import InputError
from condyle.joints import Custom, Cylindrical, Gimbal, Joint, Pin, Planar, Screw, Slider, Universal, Weld
from condyle.joints.rotations import sequence_axes


@dataclass(frozen=True, eq=False)
class Step:
    """One turn [rad] or shift [m] by f about or along `axis`, in the axes of P while all steps are at
    zero.
    """

    revolute: bool
    axis: Any
    f: ca.SX


Variables = Sequence[ca.SX]


def chain(joint: Joint, s: Variables) -> list[Step]:
    """The steps of a joint whose coordinates are s; a step that stays at zero is left out."""
    rule = _RULES.get(type(joint))
    if rule is None:
        allowed = ", ".join(kind.__name__ for kind in _RULES)
        kind = type(joint).__name__
        raise InputError(
            f"joint {joint.name!r}: {kind} is no chain of pins and sliders in its coordinates; "
            f"allowed: {allowed}"
        )
    return [step for step in rule(joint, s) if not step.f.is_zero()]


def _sequence(joint: Any, s: Variables) -> list[Step]:
    return [Step(True, axis, f) for axis, f in zip(sequence_axes(joint.sequence), s, strict=True)]


def _planar(joint: Any, s: Variables) -> list[Step]:
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    return [Step(False, x, s[1]), Step(False, y, s[2]), Step(True, z, s[0])]


def _custom(joint: Custom, s: Variables) -> list[Step]:
    place = {name: k for k, name in enumerate(joint.coordinate_names)}
    values = [
        ca.SX(function(*[s[place[name]] for name in joint.inputs_of(k)]))
        for k, function in enumerate(joint.functions)
    ]
    shifts = [Step(False, axis, f) for axis, f in zip(joint.translation_axes, values[3:], strict=True)]
    return shifts + [Step(True, axis, f) for axis, f in zip(joint.rotation_axes, values[:3], strict=True)]


_RULES: dict[type[Joint], Callable[[Any, Variables], list[Step]]] = {
    Pin: lambda joint, s: [Step(True, joint.axis, s[0])],
    Slider: lambda joint, s: [Step(False, joint.axis, s[0])],
    Weld: lambda joint, s: [],
    Screw: lambda joint, s: [Step(False, joint.axis, joint.pitch * s[0]), Step(True, joint.axis, s[0])],
    Cylindrical: lambda joint, s: [Step(False, joint.axis, s[1]), Step(True, joint.axis, s[0])],
    Planar: _planar,
    Universal: _sequence,
    Gimbal: _sequence,
    Custom: _custom,
}
