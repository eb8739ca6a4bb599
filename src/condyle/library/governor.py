"""The flyball governor (IFToMM benchmark A05): two rods with balls on a spinning shaft, a slider held by
stiff springs.

Gonzalez et al. (2006), Multibody Syst. Dyn. 16, after the library of computational benchmark problems.
"""

from __future__ import annotations

from math import pi, radians
from typing import Any

import numpy as np

from condyle.forces import LineSpring
from condyle.joints import Coordinate, Pin, Slider
from condyle.model import Body, Marker, Model
from condyle.spatial import Placement

Array = Any
DENSITY, GRAVITY = 3000.0, 9.81  # kg/m^3, m/s^2
LENGTH, THICKNESS, SLIDER_SIDE = 1.0, 0.01, 0.1  # of shaft and rods, and the slider's side [m]
BALL = 5.0  # a point at the end of each rod [kg]
OFFSET = 0.05  # of the rods' pins from the shaft's axis, and of the springs' ends [m]
STIFFNESS, DAMPING, REST = 8e5, 4e4, 0.5  # N/m, N s/m, m
#: At the start: rods below the horizontal [rad], slider above the foot of the shaft [m], spin [rad/s].
ALPHA, HEIGHT, SPIN = radians(30.0), 0.5, 2 * pi


def governor() -> Model:
    """Coordinates: `spin.angle` of the free shaft about y, `s.displacement` of the slider up the shaft, and
    `rod_1.angle`, `rod_2.angle` of the rods, positive outwards and up.
    """
    shaft_mass = DENSITY * LENGTH * THICKNESS**2
    across, along = shaft_mass * (LENGTH**2 + THICKNESS**2) / 12, shaft_mass * THICKNESS**2 / 6
    shaft = Body("shaft", shaft_mass, (0.0, LENGTH / 2, 0.0), (across, along, across, 0.0, 0.0, 0.0))
    slider_mass = DENSITY * SLIDER_SIDE**3
    moment = slider_mass * SLIDER_SIDE**2 / 6
    slider = Body("slider", slider_mass, inertia=(moment, moment, moment, 0.0, 0.0, 0.0))
    # Rod and ball as one body.
    mass = shaft_mass + BALL
    center = (shaft_mass * LENGTH / 2 + BALL * LENGTH) / mass
    bent = across + shaft_mass * (center - LENGTH / 2) ** 2 + BALL * (LENGTH - center) ** 2
    rod = (mass, (center, 0.0, 0.0), (along, bent, bent, 0.0, 0.0, 0.0))
    lowered = (Coordinate("angle", -ALPHA),)
    sides = {"1": (OFFSET, 0.0), "2": (-OFFSET, pi)}
    return Model(
        "governor",
        (shaft, slider, *(Body(f"rod_{name}", *rod) for name in sides)),
        (
            Pin("spin", "ground", "shaft", axis=(0.0, 1.0, 0.0)),
            Slider("s", "shaft", "slider", axis=(0.0, 1.0, 0.0), coordinates=(_height(),)),
            *(
                Pin(
                    f"rod_{name}",
                    "shaft",
                    f"rod_{name}",
                    Placement((x, LENGTH, 0.0), (0.0, turn, 0.0)),
                    coordinates=lowered,
                )
                for name, (x, turn) in sides.items()
            ),
        ),
        markers=(Marker("slider", "slider"),),
        gravity=(0.0, -GRAVITY, 0.0),
        forces=tuple(
            LineSpring(
                f"spring_{name}",
                "slider",
                f"rod_{name}",
                (x, 0.0, 0.0),
                (LENGTH / 2, 0.0, 0.0),
                STIFFNESS,
                DAMPING,
                REST,
            )
            for name, (x, _) in sides.items()
        ),
    )


def _height() -> Coordinate:
    return Coordinate("displacement", HEIGHT)


def damper_power(angle: Array, height: Array, angle_rate: Array, height_rate: Array) -> Array:
    """What both dampers take [W], by hand: rods at `angle`, slider at `height`."""
    half = LENGTH / 2
    across, up = half * np.cos(angle), LENGTH + half * np.sin(angle) - height
    lengthening = (
        -across * half * np.sin(angle) * angle_rate + up * (across * angle_rate - height_rate)
    ) / np.hypot(across, up)
    return 2 * DAMPING * lengthening**2
