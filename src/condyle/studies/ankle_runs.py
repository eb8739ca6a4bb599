"""The twelve runs of the ankle paper: four links, free, with the cone, and with the cone and damping."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

import condyle as cd
from condyle.analyses import Simulation, StateEvent
from condyle.library.ankle import AT, DAMPING, GRAVITY, LEG, PLATEAU, TALOCRURAL, ankle, range_of_motion
from condyle.solve import DormandPrince853

CLASSICAL, MODIFIED = 0.0, 0.0417  # m: the two joints that the paper compares
LENGTHS = (CLASSICAL, 0.0360, MODIFIED, 0.0474)
MODES = ("free", "cone", "cone_damped")
DURATION = 5.0
OUTPUTS = 1001
#: Of the trajectories and of the evaluations; atol is two powers of ten below.
RTOL, COUNTED_RTOL = 1e-12, 1e-10
#: Leaves that differ between the runs: the link's lower end in the talus and in the foot, and the forces.
PARAMETERS = (
    "talocalcaneal.parent_frame.translation[2]",
    "talocalcaneal.child_frame.translation[2]",
    "range_of_motion.law.height",
    "range_of_motion.damping",
)
RUNS = tuple((length, mode) for length in LENGTHS for mode in MODES)


def name_of(length: float, mode: str) -> str:
    """`l0.0417_cone_damped`, the key of a run."""
    return f"l{length:.4f}_{mode}"


def forces_of(mode: str) -> tuple[float, float]:
    """(largest moment of the cone [N m], damping [N m s])."""
    return {"free": (0.0, 0.0), "cone": (PLATEAU, 0.0), "cone_damped": (PLATEAU, DAMPING)}[mode]


def values_of(length: float, mode: str) -> tuple[float, ...]:
    """The parameters of one run."""
    return (-length, TALOCRURAL[2] - length - AT["foot"][2], *forces_of(mode))


VALUES = np.array([values_of(*run) for run in RUNS])


def parametric(normal: str = "surface") -> cd.Mechanism:
    """One mechanism for all runs: what differs between them is a parameter."""
    return cd.compile(ankle(forces=(range_of_motion(normal),)), parameters=PARAMETERS)


def excess() -> ca.Function:
    """Q -> kappa [rad], how far the foot is beyond the limits; it does not depend on the link."""
    mechanism = cd.compile(ankle())
    poses = mechanism.function("body_poses")
    q = ca.SX.sym("q", poses.numel_in(0))
    rotations = ca.SX(poses(q, 0, 0, 0, 0, 0, 0)[0])
    rows = [3 * mechanism.bodies.index(name) for name in ("leg", "foot")]
    leg, foot = (rotations[row : row + 3, :] for row in rows)
    return ca.Function("excess", [q], [range_of_motion().excess(ca.mtimes(leg.T, foot))])


@dataclass(frozen=True)
class Runs:
    """Motions of all runs at the output times; leading axis: the runs."""

    mechanism: cd.Mechanism
    result: Simulation
    contacts: np.ndarray  # first time beyond the limits [s], NaN without

    @property
    def times(self) -> np.ndarray:
        return self.result.times

    @property
    def angles(self) -> np.ndarray:
        """(12, nt, 2): talocrural and talocalcaneal [rad]."""
        return self.result.q

    @cached_property
    def com(self) -> np.ndarray:
        """(12, nt, 3): mass centre of the main foot [m]."""
        return self.mechanism.center_of_mass(self.result.q, parameters=self._values)["foot"]

    @cached_property
    def velocity(self) -> np.ndarray:
        """Of the same point."""
        found = self.mechanism.body_velocities(self.result.q, self.result.u, parameters=self._values)
        return found["foot"][1]

    @cached_property
    def acceleration(self) -> np.ndarray:
        """Of the same point."""
        q, u, p = self.result.q, self.result.u, self._values
        udot = self.mechanism.forward_dynamics(q, u, parameters=p)
        return self.mechanism.body_accelerations(q, u, udot, parameters=p)["foot"][1]

    @cached_property
    def poses(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """(R, p) of every body."""
        return self.mechanism.body_poses(self.result.q, parameters=self._values)

    @cached_property
    def mechanical(self) -> np.ndarray:
        """T + V of foot and toes [J], V = 0 at z = 0."""
        return self.result.energy + LEG.mass * GRAVITY[2] * AT["leg"][2]

    @cached_property
    def stored(self) -> np.ndarray:
        """Integral of the cone's moment over kappa [J]; a potential where limits are constant."""
        q = self.result.q
        kappa = np.array(ca.DM(excess()(q.reshape(-1, q.shape[-1]).T)))
        symbol = ca.SX.sym("kappa")
        total = range_of_motion().law.antiderivative(symbol)
        assert total is not None
        integral = ca.Function("integral", [symbol], [ca.if_else(symbol > 0, total, 0)])
        found = np.array(ca.DM(integral(kappa))).reshape(q.shape[:-1])
        return found * (VALUES[:, 2:3] / PLATEAU)

    @property
    def _values(self) -> np.ndarray:
        return VALUES[:, None, :]

    def of(self, what: str, length: float, mode: str) -> np.ndarray:
        """One run's part of a quantity."""
        return getattr(self, what)[RUNS.index((length, mode))]


def simulated(mechanism: cd.Mechanism, values: np.ndarray = VALUES) -> Runs:
    """All runs (or those of other parameters) from rest at the start pose, as one ensemble."""
    kappa = excess()
    contact = StateEvent(lambda time, q, u: ca.SX(kappa(q)), direction=1)
    q, u = (np.tile(part, (len(values), 1)) for part in mechanism.default_state())
    outputs = np.linspace(0.0, DURATION, OUTPUTS)
    options = {"method": DormandPrince853(), "rtol": RTOL, "atol": RTOL * 1e-2, "parameters": values}
    result = cd.simulate(mechanism, q, u, outputs, events=(contact,), **options)
    first = np.full(len(values), np.nan)
    for member, time in zip(result.events.member, result.events.time, strict=True):
        first[member] = np.fmin(first[member], time)
    return Runs(mechanism, result, np.where(values[:, 2] > 0, first, np.nan))


def run_figures(runs: Runs, length: float, mode: str) -> dict[str, Any]:
    """What each run is asked for."""
    at_1s = int(np.argmin(np.abs(runs.times - 1.0)))
    com, energy, angles = (runs.of(what, length, mode) for what in ("com", "mechanical", "angles"))
    total = energy + runs.of("stored", length, mode)
    contact = float(runs.of("contacts", length, mode))
    return {
        "com_1s": com[at_1s],
        "com_5s": com[-1],
        "angles_1s_deg": np.degrees(angles[at_1s]),
        "angles_5s_deg": np.degrees(angles[-1]),
        "mechanical_energy_1s": float(energy[at_1s]),
        "mechanical_energy_5s": float(energy[-1]),
        "energy_drift": None if mode == "cone_damped" else float(np.abs(total - total[0]).max()),
        "first_contact_s": None if np.isnan(contact) else contact,
    }
