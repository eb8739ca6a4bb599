"""N four-bars in a row, folding over (IFToMM benchmark A02): N + 1 uprights on ground, joined by N bars.

Gonzalez et al. (2006), Multibody Syst. Dyn. 16, after the library of computational benchmark problems.
"""

from __future__ import annotations

from math import cos, sin

from condyle.joints import Coordinate, Pin
from condyle.model import Body, Marker, Model
from condyle.spatial import Placement

LENGTH, MASS, GRAVITY = 1.0, 1.0, 9.81  # of every bar, a thin uniform rod: m, kg; m/s^2
#: Speed of the first upright's tip at the start [m/s], uprights upright.
TIP_SPEED = 1.0


def four_bars(count: int = 2, lean: float = 0.0) -> Model:
    """`count` four-bars, whose uprights lean by `lean` [rad], clockwise; one degree of freedom.

    Coordinates: `upright_k.angle` about z (so -lean), k = 0 ... count, and `bar_k.angle` of the bar to the
    next upright, measured from the upright. The marker B0 is the first upright's tip.
    """
    top = Placement((0.0, LENGTH, 0.0))
    uprights = tuple(
        Pin(
            f"upright_{k}",
            "ground",
            f"u{k}",
            Placement((k * LENGTH, 0.0, 0.0)),
            coordinates=(Coordinate("angle", -lean),),
        )
        for k in range(count + 1)
    )
    bars = tuple(
        Pin(f"bar_{k}", f"u{k}", f"b{k}", top, coordinates=(Coordinate("angle", lean),)) for k in range(count)
    )
    end = Placement((LENGTH, 0.0, 0.0))
    moment = MASS * LENGTH**2 / 12
    standing = ((0.0, LENGTH / 2, 0.0), (moment, 0.0, moment, 0.0, 0.0, 0.0))
    lying = ((LENGTH / 2, 0.0, 0.0), (0.0, moment, moment, 0.0, 0.0, 0.0))
    return Model(
        "four_bars",
        (
            *(Body(f"u{k}", MASS, *standing) for k in range(count + 1)),
            *(Body(f"b{k}", MASS, *lying) for k in range(count)),
        ),
        (*uprights, *bars),
        markers=(Marker("B0", "u0", (0.0, LENGTH, 0.0)),),
        gravity=(0.0, -GRAVITY, 0.0),
        loops=tuple(Pin(f"loop_{k}", f"b{k}", f"u{k + 1}", end, top) for k in range(count)),
    )


def lean_acceleration(count: int, lean: float) -> float:
    """Second derivative of the lean [rad/s^2], by hand: all uprights turn alike, the bars only travel."""
    uprights = count + 1
    weight, inertia = uprights / 2 + count, uprights / 3 + count
    return GRAVITY / LENGTH * weight / inertia * sin(lean)


def lean_energy(count: int, lean: float, rate: float) -> float:
    """Kinetic and potential energy [J], zero height at ground, by hand."""
    uprights = count + 1
    kinetic = 0.5 * MASS * LENGTH**2 * (uprights / 3 + count) * rate**2
    return kinetic + MASS * GRAVITY * LENGTH * (uprights / 2 + count) * cos(lean)
