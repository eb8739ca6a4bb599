"""What the demo compiles, simulates and measures."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

import condyle as cd
from condyle.compiled.state_equations import StateEquations
from condyle.kernels import Kernel
from condyle.model import Model
from condyle.solve import System, Trajectories, integrate
from condyle.status import Status

DURATION = 2.0  # s
FRAMES = 401
TOLERANCE = 1e-10
BATCH = 4096
REPETITIONS = 15
SPREAD = ("tibia.mass", "tibia.center_of_mass[1]")  # what differs between the legs of the ensemble

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Swing:
    """One leg, compiled, and swung from the straight knee at rest; times in seconds."""

    mechanism: cd.Mechanism
    operations: int  # of accelerations and reaction loads
    kernel_seconds: float  # from the model to their machine code
    equations_seconds: float  # the same for the equations of motion that the simulation calls
    loop_seconds: float  # the loop that takes the steps
    evaluation_seconds: float  # accelerations and loads of one state, from arrays to arrays in a batch
    simulation_seconds: float
    motion: Trajectories

    @property
    def angle(self) -> np.ndarray:
        """(nt) knee angle [rad], zero when straight, negative in flexion."""
        return self.motion.states[:, 0]

    @property
    def reversals(self) -> np.ndarray:
        """When the knee stops and turns back [s]."""
        return self.motion.events.time

    @cached_property
    def force(self) -> np.ndarray:
        """(nt, 3) force on the tibia in the femur's axes [N]: forward, along the thigh, sideways."""
        return self.mechanism.forward_dynamics_and_reactions(*self._states)[1]["knee"][1]

    @cached_property
    def drift(self) -> np.ndarray:
        """(nt) energy gained since the start, none if exact, as a fraction of the largest kinetic energy."""
        kinetic = self.mechanism.kinetic_energy(*self._states)
        energy = kinetic + self.mechanism.potential_energy(self._states[0])
        return (energy - energy[0]) / kinetic.max()

    @property
    def _states(self) -> tuple[np.ndarray, np.ndarray]:
        return self.motion.states[:, :1], self.motion.states[:, 1:]


@dataclass(frozen=True)
class Ensemble:
    """Many legs at once, each with its own mass, length and release."""

    motion: Trajectories
    release: np.ndarray  # (n) knee angle at rest [rad]
    equations_seconds: float
    seconds: float

    @property
    def count(self) -> int:
        return len(self.release)

    @property
    def finished(self) -> int:
        """Members that reached the end."""
        return int((self.motion.status == Status.OK).sum())

    @property
    def angle(self) -> np.ndarray:
        """(n, nt) [rad]."""
        return self.motion.states[..., 0]

    @cached_property
    def period(self) -> np.ndarray:
        """(n) time of the first return to the release [s]: of a leg's reversals the second."""
        return np.array([self.motion.events.of(member).time[1] for member in range(self.count)])


def timed(work: Callable[[], _Result]) -> tuple[_Result, float]:
    """A result and the seconds it took."""
    start = time.perf_counter()
    return work(), time.perf_counter() - start


def swing(model: Model) -> Swing:
    """Compile, simulate and measure one leg."""
    mechanism = cd.compile(model)
    kernel, kernel_seconds = timed(lambda: _accelerations_and_loads(mechanism))
    system, equations_seconds = timed(lambda: _equations(mechanism))
    start = np.zeros(2)

    def simulated(times: np.ndarray) -> Trajectories:
        return integrate(system, start, times, rtol=TOLERANCE, atol=TOLERANCE, p=[0.0])

    _, loop_seconds = timed(lambda: simulated(np.array([0.0, 1e-3])))
    times = np.linspace(0.0, DURATION, FRAMES)
    runs = [timed(lambda: simulated(times)) for _ in range(REPETITIONS)]
    return Swing(
        mechanism,
        kernel.operations,
        kernel_seconds,
        equations_seconds,
        loop_seconds,
        _seconds_per_evaluation(mechanism),
        float(np.median([seconds for _, seconds in runs])),
        runs[0][0],
    )


def ensemble(model: Model, count: int) -> Ensemble:
    """`count` legs, bent up to 40 degrees, up to a fifth lighter or heavier and a tenth shorter or longer."""
    mechanism = cd.compile(model, parameters=SPREAD)
    system, equations_seconds = timed(lambda: _equations(mechanism))
    rng = np.random.default_rng(0)
    release = -np.radians(40.0) * rng.random(count)
    values = mechanism.parameter_defaults * (1.0 + np.array([0.2, 0.1]) * rng.uniform(-1.0, 1.0, (count, 2)))
    start = np.column_stack([release, np.zeros(count)])
    inputs = np.column_stack([np.zeros(count), values])  # no torque, then the parameters

    def simulated(times: np.ndarray) -> Trajectories:
        return integrate(system, start, times, p=inputs)

    simulated(np.array([0.0, 1e-3]))  # builds what works in lanes
    motion, seconds = timed(lambda: simulated(np.linspace(0.0, DURATION, 81)))
    return Ensemble(motion, release, equations_seconds, seconds)


def _accelerations_and_loads(mechanism: cd.Mechanism) -> Kernel:
    """Their kernel, after its first call."""
    mechanism.forward_dynamics_and_reactions(np.zeros((8, 1)), np.zeros((8, 1)))
    return mechanism.kernel("forward_dynamics_and_reactions")


def _equations(mechanism: cd.Mechanism) -> System:
    """Equations of motion, with the moments at which the knee stops as events."""
    equations = StateEquations(mechanism, events=lambda time, q, u: u)
    return System(2, equations.rhs(), events=equations.event_values())


def _seconds_per_evaluation(mechanism: cd.Mechanism) -> float:
    """Median seconds per state of a batch, on one core."""
    rng = np.random.default_rng(0)
    q, u = rng.uniform(-2.0, 0.1, (BATCH, 1)), rng.normal(0.0, 3.0, (BATCH, 1))
    runs = [timed(lambda: mechanism.forward_dynamics_and_reactions(q, u))[1] for _ in range(REPETITIONS)]
    return float(np.median(runs)) / BATCH
