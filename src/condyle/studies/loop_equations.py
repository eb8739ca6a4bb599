"""The closed loops of the empirical paper: equations 121 and 123, tables 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import Literal

import condyle as cd
from condyle.couplings import Coupling
from condyle.functions import Function, MultivariateFourier
from condyle.joints import Pin, Slider

#: Table 1; lengths, all in one unit.
FOUR_BAR = {"l0": 5.0, "l1": 2.0, "l2": 4.0, "l3": sqrt(5.0), "l_cm2": 2.0, "l_p": sqrt(5.0) / 2}
#: Table 2.
FIVE_BAR = {"l0": 3.0, "l1": 1.0, "l2": 1.0, "l3": 3.0, "l4": 3.0, "l_p": 2.0}

HEIGHT = "height.displacement"
FOUR_BAR_ANGLES = ("joint_1.angle", "joint_2.angle", "joint_3.angle")
FIVE_BAR_ANGLES = ("joint_1.angle", "joint_2.angle", "joint_3.angle", "joint_4.angle")


def four_bar_equations() -> tuple[Function, ...]:
    """Equation 121, functions of (q, theta_1, theta_2, theta_3), zero where the loop is closed."""
    p = FOUR_BAR
    return (
        _sum("sin", (p["l1"], p["l_cm2"]), slopes=(-1.0, 0.0, 0.0, 0.0)),
        _sum("sin", (0.0, p["l2"] - p["l_cm2"], p["l3"]), slopes=(1.0, 0.0, 0.0, 0.0)),
        _sum("cos", (p["l1"], p["l2"], p["l3"]), -p["l0"], slopes=(0.0, 0.0, 0.0, 0.0)),
    )


def five_bar_equations() -> tuple[Function, ...]:
    """Equation 123, functions of (theta_1, theta_2, theta_3, theta_4)."""
    p = FIVE_BAR
    lengths = (p["l1"], p["l2"], p["l3"], p["l4"])
    return _sum("sin", lengths), _sum("cos", lengths, -p["l0"])


def bars(name: str, lengths: Sequence[float], angles: Sequence[float] = ()) -> cd.Model:
    """Thin bars of 1 kg per length in a row, `body_k` on the pin `joint_k`: the loop cut open at its end."""
    bodies, joints = [], []
    for k, length in enumerate(lengths, start=1):
        turning = length**3 / 12
        bodies.append(cd.Body(f"body_{k}", length, (length / 2, 0, 0), (0, turning, turning, 0, 0, 0)))
        before = cd.Placement((lengths[k - 2], 0, 0)) if k > 1 else cd.Placement()
        parent = f"body_{k - 1}" if k > 1 else "ground"
        default = cd.Coordinate("angle", angles[k - 1] if angles else 0.0)
        joints.append(Pin(f"joint_{k}", parent, f"body_{k}", before, coordinates=(default,)))
    return cd.Model(name, tuple(bodies), tuple(joints))


def four_bar_chain(angles: Sequence[float] = ()) -> cd.Model:
    """Its three bars, cut open."""
    return bars("four-bar", (FOUR_BAR["l1"], FOUR_BAR["l2"], FOUR_BAR["l3"]), angles)


def five_bar_chain(angles: Sequence[float] = ()) -> cd.Model:
    """Its four bars, cut open."""
    return bars("five-bar", (FIVE_BAR["l1"], FIVE_BAR["l2"], FIVE_BAR["l3"], FIVE_BAR["l4"]), angles)


def coupled_four_bar(coupling: Coupling, angles: Sequence[float] = ()) -> cd.Model:
    """The four-bar as an ODE in the height q, which a mark of no mass carries; the bars follow it."""
    chain = four_bar_chain(angles)
    mark = Slider("height", "ground", "mark", axis=(0.0, 1.0, 0.0))
    bodies, joints = (*chain.bodies, cd.Body("mark")), (mark, *chain.joints)
    return cd.Model(chain.name, bodies, joints, couplings=(coupling,))


def coupled_five_bar(coupling: Coupling, angles: Sequence[float] = ()) -> cd.Model:
    """The five-bar as an ODE in its first two angles."""
    chain = five_bar_chain(angles)
    return cd.Model(chain.name, chain.bodies, chain.joints, couplings=(coupling,))


def _sum(
    wave: Literal["sin", "cos"],
    lengths: Sequence[float],
    mean: float = 0.0,
    slopes: tuple[float, ...] = (),
) -> Function:
    """mean + slopes . inputs + sum of lengths[k] S_1..k+1, or of C_1..k+1 [eq. 122].

    The angles are the last inputs; `slopes`, where given, say how many inputs there are.
    """
    count = len(slopes) or len(lengths)
    before = count - (3 if slopes else count)
    rows = [(*(0,) * before, *(1,) * (k + 1), *(0,) * (count - before - k - 1)) for k in range(len(lengths))]
    kept = [k for k, length in enumerate(lengths) if length]
    harmonics, amplitudes = tuple(rows[k] for k in kept), tuple(lengths[k] for k in kept)
    cosines, sines = ((), amplitudes) if wave == "sin" else (amplitudes, ())
    return MultivariateFourier((2 * pi,) * count, harmonics, cosines, sines, mean, slopes)
