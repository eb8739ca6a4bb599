"""Andrews' squeezing mechanism in its formulations: one error norm, one method, the same output points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import isfinite, log, nan, pi, sqrt
from typing import Any

import numpy as np

import condyle as cd
from condyle.compiled.state_equations import StateEquations
from condyle.couplings import Sampled
from condyle.couplings.sample import sample
from condyle.dynamics.stabilisation import Baumgarte, Projection, Stabilisation, VelocityProjection
from condyle.library.andrews import BETA_IFTOMM, TORQUE, andrews, loop_equations
from condyle.model import Model
from condyle.solve import DormandPrince853, System, Trajectories, integrate
from condyle.status import Status
from condyle.studies.rounds import in_turn

DURATION = 0.05  # s
POINTS = 1000  # of the comparison, as in the paper, and the start
TIMES = np.linspace(0.0, DURATION, POINTS + 1)
#: What a Fourier fit may be wrong by: angle [rad], first derivative, second derivative (of beta).
FIT = (1e-7, 1e-6, 1e-5)
HARMONICS = 8
UNLIMITED = 1e300


@dataclass(frozen=True, eq=False)
class Contender:
    """One formulation. Its error is measured, and its steps are chosen, by the crank's angle and speed alone.

    own_norm: steps are chosen by all states of this formulation instead.
    """

    mechanism: cd.Mechanism
    stabilisation: Stabilisation = Projection()
    own_norm: bool = False

    @cached_property
    def system(self) -> System:
        equations = StateEquations(self.mechanism, stabilisation=self.stabilisation)
        positions = self.stabilisation.projects_positions
        speeds = self.stabilisation.projects_velocities
        return System(
            len(self.start),
            equations.rhs(),
            jacobian=equations.jacobian(),
            position_projection=equations.position_projection() if positions else None,
            velocity_projection=equations.velocity_projection() if speeds else None,
            closing=equations.closing(),
            second_order=equations.second_order,
        )

    @cached_property
    def start(self) -> np.ndarray:
        q, u = self.mechanism.default_state()
        solved = self.mechanism.joint_values(q)[list(self.mechanism.roles.unknown)]
        return np.concatenate([q, u, solved])

    @cached_property
    def crank(self) -> list[int]:
        """Places of beta and its rate in the state."""
        place = self.mechanism.speeds.index("beta.angle")
        return [self.mechanism.coordinates.index("beta.angle"), len(self.mechanism.coordinates) + place]

    def simulate(
        self, method: Any, tolerance: float, times: np.ndarray = TIMES, members: int = 1
    ) -> Trajectories:
        """The same motion `members` times over, one after another."""
        count = len(self.start)
        rtol, atol = tolerance, np.full(count, tolerance)
        if self.mechanism.constrained and not self.own_norm:
            # The norm is a mean over all states: of these, two count, as in the embedded forms.
            share = sqrt(2.0 / count)
            rtol, atol = tolerance * share, np.full(count, UNLIMITED)
            atol[self.crank] = tolerance * share
        p = np.zeros(len(self.mechanism.speeds))
        p[self.mechanism.speeds.index("beta.angle")] = TORQUE
        found = integrate(
            self.system,
            np.tile(self.start, (members, 1)),
            times,
            method=method,
            rtol=rtol,
            atol=atol,
            p=p,
            constraint_tolerance=max(1e-13, min(1e-8, tolerance)),
            max_steps=1_000_000,
            lanes=1,
        )
        if np.any(found.status != Status.OK):
            raise RuntimeError(f"a simulation stopped with status {found.status.tolist()}")
        return found

    def motion(self, method: Any, tolerance: float, times: np.ndarray = TIMES) -> np.ndarray:
        """Beta and its rate (nt, 2)."""
        return self.simulate(method, tolerance, times).states[0][:, self.crank]

    def timed(self, method: Any, tolerance: float, members: int) -> tuple[Callable[[], object], int]:
        """What to time, and how many motions that is."""
        return (lambda: self.simulate(method, tolerance, members=members)), members


def rms(found: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Of angle [rad] and speed [rad/s] (2), the start left out."""
    return np.sqrt(np.mean((found - truth)[1:] ** 2, axis=0))


def fourier(beta: float = BETA_IFTOMM) -> Model:
    """The closed loops as Fourier series of the crank's angle, by pre-modelling."""
    return replace(andrews(beta), loops=(), couplings=(series(),))


@cache
def series() -> Sampled:
    """All angles from that of the crank, over one of its turns, to `FIT`."""
    return sample(loop_equations(), "fourier", [(-pi, pi)], tolerance=FIT, size=HARMONICS)


def contenders() -> dict[str, Contender]:
    """By name: embedded forms, then constrained ones ("dae ...")."""
    embedded, constrained = cd.compile(fourier()), cd.compile(andrews(), loops="multipliers")
    return {
        "fourier": Contender(embedded),
        "implicit": Contender(cd.compile(andrews(), independent=("beta.angle",))),
        "dae, projection": Contender(constrained),
        "dae, velocity projection": Contender(constrained, VelocityProjection()),
        "dae, Baumgarte": Contender(constrained, Baumgarte(1000.0, 1000.0)),
        "dae, projection, own norm": Contender(constrained, own_norm=True),
    }


#: From those at which all forms are too coarse for the paper's figures to the one at which all meet them.
TOLERANCES = (1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9, 3e-10)
#: The last of them, at which times are compared "at equal tolerance"; and the paper's RMS error of the angle
#: [rad], at which they are compared "at equal error".
TOLERANCE, ERROR = 3e-10, 1e-4


@dataclass(frozen=True)
class Curve:
    """Work against precision of one formulation; arrays over the tolerances."""

    tolerance: np.ndarray
    seconds: np.ndarray
    rms: np.ndarray  # (tolerances, 2): angle [rad], speed [rad/s]
    steps: np.ndarray

    def seconds_at(self, error: float, column: int = 0) -> float:
        """Time at an error of the angle (0) or speed (1), between tolerances by powers; NaN: not reached."""
        errors = self.rms[:, column]
        for k in range(1, len(errors)):
            if errors[k] <= error <= errors[k - 1]:
                share = log(error / errors[k - 1]) / log(errors[k] / errors[k - 1])
                return float(self.seconds[k - 1] ** (1 - share) * self.seconds[k] ** share)
        return nan


def curves(
    forms: Mapping[str, Contender],
    method: Any,
    exact: np.ndarray,
    tolerances: Sequence[float] = TOLERANCES,
    rounds: int = 7,
    members: int = 4,
    progress: Callable[[str], None] = lambda text: None,
) -> dict[str, Curve]:
    """Time of one motion and its errors, at every tolerance, the forms in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in forms}
    found: dict[str, list[Trajectories]] = {name: [] for name in forms}
    for tolerance in tolerances:
        progress(f"tolerance {tolerance:g}")
        for name, form in forms.items():
            found[name].append(form.simulate(method, tolerance))
        timed = {name: form.timed(method, tolerance, members) for name, form in forms.items()}
        for name, time in in_turn(timed, rounds).times().items():
            seconds[name].append(time["median"])
    return {
        name: Curve(
            np.array(tolerances, dtype=float),
            np.array(seconds[name]),
            np.array([rms(item.states[0][:, form.crank], exact) for item in found[name]]),
            np.array([int(item.steps[0]) for item in found[name]]),
        )
        for name, form in forms.items()
    }


def ratios(
    found: Mapping[str, Curve], forms: Mapping[str, Contender], over: str
) -> dict[str, tuple[str, float]]:
    """The fastest stabilised DAE over one embedded form: which it is, and how much longer it takes.

    "equal_tolerance": at the finest tolerance, of those with the same error norm. "equal_error": of all.
    """
    constrained = [name for name, form in forms.items() if form.mechanism.constrained]
    last = {name: float(found[name].seconds[-1]) for name in constrained if not forms[name].own_norm}
    times = {name: found[name].seconds_at(ERROR) for name in constrained}
    times = {name: value for name, value in times.items() if isfinite(value)}
    by_tolerance, by_error = min(last, key=last.__getitem__), min(times, key=times.__getitem__)
    own = found[over]
    return {
        "equal_tolerance": (by_tolerance, last[by_tolerance] / float(own.seconds[-1])),
        "equal_error": (by_error, times[by_error] / own.seconds_at(ERROR)),
    }


def truth(contender: Contender, times: np.ndarray = TIMES) -> np.ndarray:
    """(nt, 2) as exact as double precision gives it."""
    return contender.motion(DormandPrince853(), 1e-13, times)
