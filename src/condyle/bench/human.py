"""The 26-body human driven through a smooth motion, and the same analyses written with dense NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

import condyle as cd
from condyle.bench.sizes import Sizes
from condyle.compiled.driver_equations import DriverEquations
from condyle.compiled.driver_loads import DriverLoads
from condyle.drivers import Motion
from condyle.library.human_26 import TABLE_1, human_26, human_drivers
from condyle.solve import follow_frames
from condyle.solve.basic import basic_solutions

W = 2 * np.pi
TOLERANCE = 1e-10


def human_motion(model: cd.Model, times: np.ndarray) -> dict[str, Motion]:
    """Every joint of table 1 swings by 10 to 25 degrees, each with its own phase; the base moves on."""
    found = {}
    for k, joint in enumerate(model.joints):
        if joint.name == "base":
            turn = Motion.of_expression(lambda t: 0.2 * ca.sin(W * t) * ca.vertcat(1, -0.5, 0.3), times)
            found["base"] = turn.as_orientation("zxy")
            found["base_position"] = Motion.of_expression(
                lambda t: ca.vertcat(t, 1 + 0.05 * ca.sin(2 * W * t), 0.02 * ca.sin(W * t)), times
            )
            continue
        guide = TABLE_1.get(joint.name.partition("_")[0])
        if guide is not None:
            axes = "".join("xyz"[axis.index(1.0)] for axis in guide.axes) or "zxy"
            found[joint.name] = _swing(k, len(axes), times).as_orientation(axes)
    return found


def _swing(k: int, count: int, times: np.ndarray) -> Motion:
    sizes = (0.4, 0.2, 0.15)[:count]
    return Motion.of_expression(
        lambda t: ca.vertcat(*[0.3 + a * ca.sin(W * t + k + i) for i, a in enumerate(sizes)]), times
    )


@dataclass(frozen=True)
class Driven:
    """The human by one kind of driver: what the library's analyses run, piece by piece."""

    kind: str
    mechanism: cd.Mechanism
    motion: dict[str, Motion]

    @cached_property
    def analysis(self) -> cd.analyses.KinematicAnalysis:
        return cd.kinematic_analysis(
            self.mechanism, human_drivers(self.mechanism.model, self.kind), self.motion
        )

    @property
    def equations(self) -> DriverEquations:
        return self.analysis.equations

    @cached_property
    def _flat(self) -> list[np.ndarray]:
        parts = [self.motion[driver.name] for driver in self.equations.drivers]
        stacked = [[p.values for p in parts], [p.rates for p in parts], [p.accelerations for p in parts]]
        return [np.concatenate(kind, axis=-1) for kind in stacked]

    def kinematics(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions, velocities, accelerations of all frames, as compiled loops alone give them."""
        q, _, _, targets = self.analysis.whole
        found = follow_frames(
            self.equations.step(), q[:1], targets[None], np.zeros((1, 0)), tolerance=TOLERANCE
        )
        u, udot, _, _ = self.equations.motion()(found.x[0], targets, *self._flat[1:], None)
        return found.x[0], u, udot

    def dynamics(self) -> np.ndarray:
        """Multipliers of all frames: of least norm, where they are not determined."""
        return self.equations.multipliers(None, ())(*self.analysis.whole, None, None)

    def basic(self) -> np.ndarray:
        """Multipliers of all frames by pivoted QR of the whole D', as the paper's solver."""
        q, u, udot, targets = self.analysis.whole
        right = self.equations.required(())(q, u, udot, None, None)
        chunks = [slice(k, k + 64) for k in range(0, len(q), 64)]
        matrix = self.equations.matrix()
        return np.concatenate(
            [basic_solutions(matrix(q[c], targets[c], None)[0], right[c])[0] for c in chunks]
        )

    def torques(self, multipliers: np.ndarray) -> np.ndarray:
        """Of all joints, conjugate to their speeds."""
        q, _, _, targets = self.analysis.whole
        return DriverLoads(self.equations).kernel()(q, targets, multipliers, None)[0]

    def numpy_kinematics(self, frames: int) -> np.ndarray:
        """Positions of the first frames by dense Newton steps in NumPy, full steps as in the paper."""
        matrix, moved = self.equations.matrix(), self.equations.moved()
        q, found = self.analysis.whole[0][0], []
        for targets in self.analysis.whole[3][:frames]:
            for _ in range(20):
                D, phi = matrix(q, targets, None)
                change = np.linalg.solve(D, -phi)
                q = moved(q, change)
                if np.abs(change).max() < TOLERANCE:
                    break
            found.append(q)
        return np.array(found)

    def numpy_dynamics(self, frames: int) -> np.ndarray:
        """Multipliers of the first frames by dense solutions in NumPy."""
        q, u, udot, targets = (part[:frames] for part in self.analysis.whole)
        right = self.equations.required(())(q, u, udot, None, None)
        matrix = self.equations.matrix()
        return np.array(
            [np.linalg.solve(matrix(q[k], targets[k], None)[0].T, right[k]) for k in range(frames)]
        )


def driven(sizes: Sizes, kind: str) -> Driven:
    """The human as a tree (no ellipsoids) through one second of motion."""
    parts, sides = sizes.human
    model = human_26(parts.split(), sides, gliding=False)
    times = np.linspace(0.0, 1.0, sizes.frames)
    return Driven(kind, cd.compile(model, formulation="absolute"), human_motion(model, times))
