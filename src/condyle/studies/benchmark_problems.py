"""The problems of the multibody benchmark library (IFToMM; Gonzalez et al. 2006), with reference solutions.

References are of an independent implementation, good to all digits; published ones (A01, and A02 with 40
four-bars by ADAMS) have the six digits that their files print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from condyle.library.andrews import OF, TORQUE, andrews
from condyle.library.bricard import bricard
from condyle.library.four_bars import LENGTH, TIP_SPEED, four_bars
from condyle.library.governor import SPIN, damper_power, governor
from condyle.library.pendulum import pendulum
from condyle.model import Model

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Problem:
    """A model, its start, and positions [m] of a marker along some axes at evenly spaced times."""

    title: str
    model: Callable[[], Model]
    marker: str
    duration: float = 10.0
    #: Speeds at the start and constant forces, those of other coordinates being 0.
    speeds: Mapping[str, float] = field(default_factory=dict)
    forces: Mapping[str, float] = field(default_factory=dict)
    axes: tuple[int, ...] = (0, 1)
    times: tuple[float, ...] = tuple(float(second) for second in range(1, 11))
    reference: Rows = ()
    published: Rows = ()
    #: (q, u, names) -> power [W] that is lost; None: no loss.
    loss: Callable[[np.ndarray, np.ndarray, tuple[str, ...]], np.ndarray] | None = None


def _falling(count: int) -> dict[str, float]:
    rate = TIP_SPEED / LENGTH  # clockwise
    uprights = {f"upright_{k}.angle": -rate for k in range(count + 1)}
    return uprights | {f"bar_{k}.angle": rate for k in range(count)}


def _lost(q: np.ndarray, u: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    places = [names.index(name) for name in ("rod_1.angle", "s.displacement")]
    return damper_power(*(q[..., k] for k in places), *(u[..., k] for k in places))


def _on_crank(*angles: float) -> Rows:
    """The point F at some crank angles [rad]."""
    return tuple((OF * float(np.cos(beta)), OF * float(np.sin(beta))) for beta in angles)


PROBLEMS: dict[str, Problem] = {
    "A01": Problem(
        "simple pendulum",
        pendulum,
        "P1",
        reference=(
            *((0.98629175113187, -0.16501085312555), (-0.79356619534324, -0.6084839304439)),
            *((0.17665178992263, -0.98427340973793), (0.57756362824884, -0.81634567146769)),
            *((-0.9423054350438, -0.33475433841387), (0.99949753993936, -0.031696492789788)),
            *((-0.99861877917548, -0.05254078299839), (0.91985798310765, -0.39225156585172)),
            *((-0.49837370905721, -0.86696230951557), (-0.2750874625764, -0.96141920509904)),
        ),
        published=(
            *((0.986292, -0.165011), (-0.793566, -0.608484), (0.176652, -0.984273), (0.577564, -0.816346)),
            *((-0.942305, -0.334754), (0.999498, -0.0316965), (-0.998619, -0.0525408)),
            *((0.919858, -0.392252), (-0.498374, -0.866962), (-0.275087, -0.961419)),
        ),
    ),
    "A02_2": Problem(
        "two four-bars",
        four_bars,
        "B0",
        speeds=_falling(2),
        reference=(
            *((-0.19502030194952, -0.98079920566216), (0.057815795767916, 0.99832726786346)),
            *((-0.54933973930077, -0.83559909695078), (0.11761610237633, 0.99305913845138)),
            *((-0.81131046100306, -0.58461554535182), (0.18138112622211, 0.98341287720387)),
            *((-0.95827075489063, -0.28586213516544), (0.25105591462605, 0.96797258624988)),
            *((-0.99996227254857, 0.0086863962325739), (0.32845811153661, 0.94451853818006)),
        ),
    ),
    "A02_40": Problem(
        "forty four-bars",
        lambda: four_bars(40),
        "B0",
        speeds=_falling(40),
        reference=(
            *((-0.11535688063217, -0.99332411130044), (0.03446630730029, 0.99940586032957)),
            *((-0.3385181490449, -0.94095986246344), (0.069342032227527, 0.99759294432477)),
            *((-0.54019005067221, -0.84154305246657), (0.10503646944326, 0.99446837058144)),
            *((-0.70961456704423, -0.70459006964236), (0.14195804134841, 0.98987267590156)),
            *((-0.84038648414116, -0.54198759881834), (0.18051222668371, 0.98357274058287)),
        ),
        published=(
            *((-0.115357, -0.993324), (0.0344663, 0.999406), (-0.338518, -0.94096), (0.0693421, 0.997593)),
            *((-0.540191, -0.841543), (0.105037, 0.994468), (-0.709615, -0.70459), (0.141958, 0.989873)),
            *((-0.840387, -0.541987), (0.180513, 0.983573)),
        ),
    ),
    "A03": Problem(
        "Andrews' squeezer",
        andrews,
        "F",
        duration=0.05,
        forces={"beta.angle": TORQUE},
        times=(0.01, 0.02, 0.03, 0.04, 0.05),
        reference=_on_crank(
            2.15338134019901, 8.17811500548402, 15.800174670664, 24.3680649257516, 33.8153407213619
        ),
    ),
    "A04": Problem("Bricard's mechanism", bricard, "P3", axes=(0, 1, 2)),
    "A05": Problem(
        "flyball governor",
        governor,
        "slider",
        speeds={"spin.angle": SPIN},
        axes=(1,),
        times=(0.1, 0.5, 1.0, 5.0, 10.0),
        reference=((0.52383648,), (0.74324942,), (0.50142092,), (0.5355631,), (0.61962292,)),
        loss=_lost,
    ),
}
