"""The IFToMM benchmark problems A01 to A05: errors, energy drift and time, by both treatments of loops."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import condyle as cd
from condyle.dynamics.stabilisation import Baumgarte, Projection, Stabilisation
from condyle.solve import DormandPrince54
from condyle.studies.base import Claim, Progress, StudyResult
from condyle.studies.benchmark_problems import PROBLEMS, Problem
from condyle.studies.rounds import in_turn

NAME = "benchmarks"
TITLE = "The IFToMM benchmark problems A01 to A05: errors, energy drift, time"

TOLERANCE = 1e-9
#: Of the duration; finer at the start, where the governor's dampers settle within 0.1 ms.
OUTPUTS = np.concatenate([np.linspace(0.0, 1e-3, 1001), np.linspace(0.0, 1.0, 10001)[11:]])
SHOWN = slice(1000, None, 20)
ROUNDS = 5  # of timing


@dataclass(frozen=True)
class Run:
    """One problem in one treatment of its loops: "embed", "multipliers", or "tree" (it has none)."""

    problem: str
    treatment: str
    stabilisation: Stabilisation = Projection()

    @property
    def key(self) -> str:
        """The name of the problem; by multipliers with a word behind it."""
        return f"{self.problem}_multipliers" if self.treatment == "multipliers" else self.problem


RUNS = (
    Run("A01", "tree"),
    Run("A02_2", "embed"),
    # The bars fall into one line several times a turn, where the loops do not determine the speeds. A step
    # that ends nearby is then projected along whatever round-off says; feedback moves no state.
    Run("A02_2", "multipliers", Baumgarte(20.0, 20.0)),
    Run("A02_40", "embed"),
    Run("A02_40", "multipliers", Baumgarte(20.0, 20.0)),
    Run("A03", "embed"),
    Run("A03", "multipliers"),
    Run("A04", "embed"),
    Run("A04", "multipliers"),
    Run("A05", "tree"),
)


class Motion:
    """A run, compiled, and what it found."""

    def __init__(self, run: Run) -> None:
        self.run, self.problem = run, PROBLEMS[run.problem]
        with warnings.catch_warnings():
            # Bricard's mechanism is over-constrained on purpose.
            warnings.filterwarnings("ignore", message=".*follow from the others")
            loops = "embed" if run.treatment == "tree" else run.treatment
            self.mechanism = cd.compile(self.problem.model(), loops=loops)
            self.q, self.u = self.mechanism.default_state()
            for name, speed in self.problem.speeds.items():
                if name in self.mechanism.speeds:
                    self.u[self.mechanism.speeds.index(name)] = speed
            self.tau = np.array([self.problem.forces.get(name, 0.0) for name in self.mechanism.speeds])
            self.found = self.simulated(self.problem.duration * OUTPUTS)

    def simulated(self, times: Any) -> cd.Simulation:
        return cd.simulate(
            self.mechanism,
            self.q,
            self.u,
            times,
            method=DormandPrince54(),
            rtol=TOLERANCE,
            atol=TOLERANCE,
            tau=self.tau,
            stabilisation=self.run.stabilisation,
            constraint_tolerance=TOLERANCE,
            max_steps=1_000_000,
        )

    def to_time(self) -> tuple[Any, int]:
        """What is timed: one call, with as many outputs as the reference has."""
        times = (0.0, *self.problem.times)
        return (lambda: self.simulated(times)), 1

    @property
    def positions(self) -> np.ndarray:
        """(times of the reference, axes) [m]."""
        rows = np.searchsorted(self.found.times, np.array(self.problem.times) - 1e-9)
        return self.marked(rows)[:, list(self.problem.axes)]

    def marked(self, rows: Any) -> np.ndarray:
        """The marker's positions at some outputs, from all joint variables, however the loops are treated."""
        tree = cd.compile(replace(self.problem.model(), loops=()))
        assert tree.coordinates == self.mechanism.joint_variables
        return tree.marker_positions(self.found.joint_values[rows])[self.problem.marker]

    @property
    def energy_drift(self) -> float:
        """Largest departure [J] of the energy from what forces have added and dampers have taken."""
        found, names = self.found, self.mechanism.coordinates
        # Every coordinate on which a force acts is an angle of a pin, whose rate is its speed.
        moved = {name: found.q[:, names.index(name)] - self.q[names.index(name)] for name in self._driven}
        balance = found.energy - found.energy[0]
        for name, change in moved.items():
            balance = balance - self.problem.forces[name] * change
        if self.problem.loss is not None:
            power = self.problem.loss(found.q, found.u, names)
            steps = np.diff(found.times) * 0.5 * (power[1:] + power[:-1])
            balance[1:] += np.cumsum(steps)
        return float(np.abs(balance).max())

    @property
    def _driven(self) -> list[str]:
        return list(self.problem.forces)


def run(progress: Progress) -> StudyResult:
    """Simulate every problem at one tolerance, compare and time."""
    motions = {}
    for item in RUNS:
        progress(f"{item.problem}, {PROBLEMS[item.problem].title}: {item.treatment}")
        motions[item.key] = Motion(item)
    progress("timing")
    times = in_turn({key: motion.to_time() for key, motion in motions.items()}, ROUNDS).times()
    figures: dict[str, Any] = {
        key: {
            "error_m": _error(motion.positions, motion.problem.reference),
            "energy_drift_J": motion.energy_drift,
            "time_s": times[key]["median"],
            "treatment": motion.run.treatment,
            "steps": int(motion.found.steps),
            "status": int(motion.found.status),
            "constraint_residual": float(motion.found.constraint_residual),
            "closing_iterations": float(motion.found.closing_iterations),
        }
        for key, motion in motions.items()
    }
    claims = []
    for key, motion in motions.items():
        title = f"{motion.run.problem}, {motion.problem.title}, {motion.run.treatment}"
        claims += _claims(title, motion.problem, motion.positions, figures[key])
    figures["tolerance"] = TOLERANCE
    figures["motion"] = {
        key: {
            "time": motion.found.times[SHOWN],
            "position": motion.marked(SHOWN),
        }
        for key, motion in motions.items()
    }
    return StudyResult(NAME, figures, tuple(claims))


def _error(found: np.ndarray, reference: Any) -> float | None:
    """Largest distance [m]; None without a reference."""
    if not reference:
        return None
    return float(np.linalg.norm(found - np.array(reference), axis=-1).max())


def _claims(title: str, problem: Problem, found: np.ndarray, figures: dict[str, Any]) -> list[Claim]:
    claims = []
    error, drift = figures["error_m"], figures["energy_drift_J"]
    if error is not None:
        text = f"{title}: as an independent implementation (m)"
        claims.append(Claim(text, "equal", error, figures["status"] == 0 and error <= 1e-6))
    if problem.published:
        # Six digits are printed; those of A02 (ADAMS) are off by up to 1.3e-6 from exact solutions.
        off = float(np.abs(found - np.array(problem.published)).max())
        claims.append(Claim(f"{title}: as published, six digits (m)", "equal", off, off <= 2e-6))
    if error is None:
        text = f"{title}: energy is kept over {problem.duration:g} s (J)"
        claims.append(Claim(text, 0.0, drift, figures["status"] == 0 and drift <= 1e-5))
    return claims
