"""The twelve runs of the ankle paper: four links, free, with the cone, and with the cone and damping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

import condyle as cd
from condyle.library.ankle import AT, DAMPING, FOOT, LEG, PLATEAU, TALOCRURAL, TOES, ankle, range_of_motion
from condyle.model import Model
from condyle.solve import DormandPrince853

LENGTHS = (0.0, 0.0360, 0.0417, 0.0474)
MODES = ("free", "cone", "cone_damped")
DURATION = 5.0
OUTPUTS = 1001
#: Of the positions that are printed; atol is two powers of ten below.
RTOL = 1e-12
#: Leaves that differ between the runs: the link's lower end in the talus and in the foot, and the forces.
PARAMETERS = (
    "talocalcaneal.parent_frame.translation[2]",
    "talocalcaneal.child_frame.translation[2]",
    "range_of_motion.law.height",
    "range_of_motion.damping",
)


def name_of(length: float, mode: str) -> str:
    """`l0.0417_cone_damped`, the key of a run."""
    return f"l{length:.4f}_{mode}"


RUNS = tuple((length, mode) for length in LENGTHS for mode in MODES)
NAMES = tuple(name_of(*run) for run in RUNS)


def forces_of(mode: str) -> tuple[float, float]:
    """(largest moment of the cone [N m], damping [N m s])."""
    return {"free": (0.0, 0.0), "cone": (PLATEAU, 0.0), "cone_damped": (PLATEAU, DAMPING)}[mode]


def values_of(length: float, mode: str) -> tuple[float, ...]:
    """The parameters of one run."""
    return (-length, TALOCRURAL[2] - length - AT["foot"][2], *forces_of(mode))


VALUES = np.array([values_of(*run) for run in RUNS])


def parametric() -> cd.Mechanism:
    """One mechanism for all runs: what differs between them is a parameter."""
    return cd.compile(ankle(forces=(range_of_motion(),)), parameters=PARAMETERS)


def excess(model: Model) -> ca.Function:
    """Q -> kappa [rad], how far the foot is beyond the limits; it does not depend on the link."""
    poses = cd.compile(model).function("body_poses")
    q = ca.SX.sym("q", poses.numel_in(0))
    rotations = ca.SX(poses(q, 0, 0, 0, 0, 0, 0)[0])
    order = [body.name for body in model.bodies]
    bodies = cd.compile(model).bodies
    assert set(order) == set(bodies)
    leg, foot = (rotations[3 * k : 3 * k + 3, :] for k in (bodies.index("leg"), bodies.index("foot")))
    return ca.Function("excess", [q], [range_of_motion().excess(ca.mtimes(leg.T, foot))])


@dataclass(frozen=True)
class Runs:
    """Motions of all runs at the output times; leading axis: the runs."""

    mechanism: cd.Mechanism
    result: Any  # condyle.analyses.simulate.Simulation
    contacts: np.ndarray  # first time beyond the limits [s], NaN without

    @property
    def times(self) -> np.ndarray:
        return self.result.times

    def _index(self, length: float, mode: str) -> int:
        return NAMES.index(name_of(length, mode))

    @cached_property
    def com(self) -> np.ndarray:
        """(12, nt, 3): mass centre of the main foot [m]."""
        return self.mechanism.center_of_mass(self.result.q, parameters=self._values)["foot"]

    @cached_property
    def velocity(self) -> np.ndarray:
        """Of the same point."""
        return self.mechanism.body_velocities(self.result.q, self.result.u, parameters=self._values)["foot"][
            1
        ]

    @cached_property
    def acceleration(self) -> np.ndarray:
        """Of the same point."""
        q, u, p = self.result.q, self.result.u, self._values
        udot = self.mechanism.forward_dynamics(q, u, parameters=p)
        return self.mechanism.body_accelerations(q, u, udot, parameters=p)["foot"][1]

    @cached_property
    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        """(R, p) of the foot."""
        return self.mechanism.body_poses(self.result.q, parameters=self._values)["foot"]

    @property
    def _values(self) -> np.ndarray:
        return VALUES[:, None, :]

    @cached_property
    def mechanical(self) -> np.ndarray:
        """T + V of foot and toes [J], V = 0 at z = 0."""
        leg = LEG.mass * 9.81 * AT["leg"][2]
        return self.result.energy - leg

    @cached_property
    def kinetic(self) -> np.ndarray:
        """T [J]."""
        return self.mechanism.kinetic_energy(self.result.q, self.result.u, parameters=self._values)

    @cached_property
    def stored(self) -> np.ndarray:
        """Integral of the cone's moment over kappa [J]; a potential where limits are constant."""
        q = self.result.q
        found = excess(ankle())(q.reshape(-1, q.shape[-1]).T)
        kappa = np.array(ca.DM(found)).reshape(q.shape[:-1])
        symbol = ca.SX.sym("kappa")
        law = range_of_motion().law
        total = law.antiderivative(symbol)
        assert total is not None
        integral = ca.Function("integral", [symbol], [total])
        one = np.array(ca.DM(integral(kappa.reshape(1, -1)))).reshape(kappa.shape)
        return one * (VALUES[:, 2:3] / PLATEAU)

    def of(self, what: str, length: float, mode: str) -> np.ndarray:
        """One run's part of a quantity."""
        return getattr(self, what)[self._index(length, mode)]

    def figures(self) -> dict[str, dict[str, Any]]:
        """What each run is asked for."""
        found = {}
        total = self.mechanical + self.stored
        at_1s = int(np.argmin(np.abs(self.times - 1.0)))
        for k, (length, mode) in enumerate(RUNS):
            damped, free = mode == "cone_damped", mode == "free"
            found[name_of(length, mode)] = {
                "com_1s": self.com[k, at_1s],
                "com_5s": self.com[k, -1],
                "angles_1s_deg": np.degrees(self.result.q[k, at_1s]),
                "angles_5s_deg": np.degrees(self.result.q[k, -1]),
                "mechanical_energy_1s": float(self.mechanical[k, at_1s]),
                "mechanical_energy_5s": float(self.mechanical[k, -1]),
                "energy_drift": None if damped else float(np.abs(total[k] - total[k, 0]).max()),
                "first_contact_s": None if free else float(self.contacts[k]),
            }
        return found


def simulated(mechanism: cd.Mechanism, model: Model, duration: float = DURATION, rtol: float = RTOL) -> Runs:
    """All runs from rest at the start pose, as one ensemble."""
    kappa = excess(model)
    contact = cd.analyses.StateEvent(lambda time, q, u: ca.SX(kappa(q)), direction=1)
    q, u = (np.tile(part, (len(RUNS), 1)) for part in mechanism.default_state())
    outputs = np.linspace(0.0, duration, round((OUTPUTS - 1) * duration / DURATION) + 1)
    result = cd.simulate(
        mechanism,
        q,
        u,
        outputs,
        method=DormandPrince853(),
        rtol=rtol,
        atol=rtol * 1e-2,
        parameters=VALUES,
        events=(contact,),
    )
    first = np.full(len(RUNS), np.nan)
    for member, time in zip(result.events.member, result.events.time, strict=True):
        first[member] = np.fmin(first[member], time)
    return Runs(mechanism, result, first)


def masses() -> Mapping[str, float]:
    """Of what moves [kg]."""
    return {body.name: body.mass for body in (FOOT, TOES)}
