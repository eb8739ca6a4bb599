"""Motions past poses where the independent coordinates would determine the loops no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from condyle.analyses.segment import Segment
from condyle.analyses.simulation import Simulation, Switch
from condyle.compiled.mechanism import Mechanism
from condyle.solve import Occurrences, Trajectories
from condyle.status import Status


def switching(run: Segment, q: np.ndarray, u: np.ndarray, times: np.ndarray) -> Simulation:
    """The motion of all members, those that come near a dead point continued in other coordinates."""
    mechanism = run.reference
    whole, found = run(mechanism, q, u, None, times)
    shape = whole.status.shape
    parts = _Parts(run, whole, found)
    for member in np.flatnonzero(whole.status.reshape(-1) == Status.EVENT):
        parts.follow(int(member))
    return parts.joined(shape)


class _Parts:
    """The results of all members, in the coordinates of the first mechanism, and what continues them.
    Final.
    """

    def __init__(self, run: Segment, whole: Simulation, found: Trajectories) -> None:
        self.run, self.whole, self.found = run, whole, found
        self.own_events = len(run.events)
        count = int(np.prod(whole.status.shape))
        self.fields: dict[str, np.ndarray] = {}
        for name, depth in _FIELDS.items():
            array = getattr(whole, name)
            self.fields[name] = np.array(array).reshape(count, *array.shape[array.ndim - depth :])
        self.parameters = run.parameters
        self.switches: list[Switch] = []
        self.events = [whole.events]
        self.mechanisms = {whole.mechanism.coordinates: whole.mechanism}

    def follow(self, member: int) -> None:
        """Continue one member until its end, or until an event of the caller's ends it."""
        simulation, found, at = self.whole, self.found, member
        while True:
            log = found.events.of(at)
            if not log.time.size or log.index[-1] != self.own_events:
                return
            time, state = float(log.time[-1]), log.state[-1]
            run = self._alone(member)
            here = simulation.mechanism
            mechanism, q, u, z = self._switched(run, here, state)
            if mechanism is not here:
                self.switches.append(Switch(member, time, here.coordinates, mechanism.coordinates))
            later = np.flatnonzero(self.whole.times > time)
            times = self.whole.times[later]
            if not times.size:
                return
            instants = np.concatenate([[time], times])
            simulation, found = run(mechanism, q, u, z, instants)
            at = 0
            self._write(run, member, later, simulation, found)

    def _alone(self, member: int) -> Segment:
        """The task of one member."""
        run, shape = self.run, self.whole.status.shape

        def own(value: Any, axes: int) -> Any:
            if value is None or isinstance(value, dict) or np.ndim(value) <= axes:
                return value
            array = np.asarray(value)
            return np.broadcast_to(array, (*shape, *array.shape[-axes:])).reshape(-1, *array.shape[-axes:])[
                member
            ]

        def each(values: Any, axes: int) -> Any:
            return {name: own(value, axes) for name, value in values.items()}

        parameters = each(run.parameters, 0) if isinstance(run.parameters, dict) else own(run.parameters, 1)
        wrenches = None if run.wrenches is None else each(run.wrenches, 1)
        return replace(run, tau=own(run.tau, 1), parameters=parameters, wrenches=wrenches, progress=None)

    def _switched(
        self, run: Segment, here: Mechanism, state: np.ndarray
    ) -> tuple[Mechanism, np.ndarray, np.ndarray, np.ndarray]:
        """The mechanism in the best coordinates at a state (q, u, z) of another one, and the state in
        them.
        """
        nq, nu = len(here.coordinates), len(here.speeds)
        q, u, z = np.split(state, [nq, nq + nu])
        s = here._call("joint_values", (q,), run.parameters, None, z)
        v = here._call("coupling_matrix", (q,), run.parameters, None, z).reshape(-1, nu) @ u
        names = here.best_coordinates(s)
        mechanism = self.mechanisms.get(names)
        if mechanism is None:
            mechanism = self.mechanisms[names] = here.near(s, names)
        roles = mechanism.roles
        return (
            mechanism,
            s[list(roles.independent)],
            v[list(roles.independent_speeds)],
            s[list(roles.unknown)],
        )

    def _write(
        self, run: Segment, member: int, later: np.ndarray, simulation: Simulation, found: Trajectories
    ) -> None:
        """Put what a segment found in the place of what was not there."""
        own, mechanism, first = self.fields, simulation.mechanism, self.whole.mechanism
        s = simulation.joint_values[1:]
        nq, nu = len(mechanism.coordinates), len(mechanism.speeds)
        J = mechanism._call(
            "coupling_matrix", (simulation.q,), run.parameters, None, found.states[:, nq + nu :]
        )
        v = np.einsum("tij,tj->ti", J.reshape(len(J), -1, nu), simulation.u)[1:]
        own["joint_values"][member, later] = s
        own["q"][member, later] = s[:, list(first.roles.independent)]
        own["u"][member, later] = v[:, list(first.roles.independent_speeds)]
        own["energy"][member, later] = simulation.energy[1:]
        for name in ("steps", "rejections", "evaluations"):
            own[name][member] += getattr(simulation, name)
        for name in ("constraint_residual", "constraint_rate", "closing_most", "closing_iterations"):
            own[name][member] = max(own[name][member], getattr(simulation, name))
        own["status"][member], own["final_time"][member] = simulation.status, simulation.final_time
        log = found.events
        q_, u_, z_ = np.split(log.state, [nq, nq + nu], axis=-1)
        if log.time.size:
            states = mechanism._call("joint_values", (q_,), run.parameters, None, z_)
            J = mechanism._call("coupling_matrix", (q_,), run.parameters, None, z_).reshape(len(z_), -1, nu)
            speeds = np.einsum("tij,tj->ti", J, u_)
            seen = (states[:, list(first.roles.independent)], speeds[:, list(first.roles.independent_speeds)])
            self.events.append(
                Occurrences(np.full(log.time.size, member), log.index, log.time, np.concatenate(seen, axis=1))
            )

    def joined(self, shape: tuple[int, ...]) -> Simulation:
        """One result; the events that only asked for a switch are left out."""
        columns = [
            np.concatenate([getattr(part, name) for part in self.events])
            for name in ("member", "index", "time", "state")
        ]
        kept = columns[1] < self.own_events
        member, index, time, state = (column[kept] for column in columns)
        order = np.lexsort((time, member))
        events = Occurrences(member[order], index[order], time[order], state[order])
        fields = {name: array.reshape((*shape, *array.shape[1:])) for name, array in self.fields.items()}
        return replace(self.whole, **fields, events=events, switches=tuple(self.switches))


#: Fields that every member has, and the axes behind the batch.
_FIELDS = {
    **{"q": 2, "u": 2, "joint_values": 2, "energy": 1},
    **dict.fromkeys(("status", "steps", "rejections", "evaluations", "final_time"), 0),
    **dict.fromkeys(("constraint_residual", "constraint_rate", "closing_iterations", "closing_most"), 0),
}
