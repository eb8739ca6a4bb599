"""Pre-modelling of closed loops: what closes them as fitted functions of the independent coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from condyle.compiled.mechanism import Mechanism
from condyle.couplings import Sampled, sample
from condyle.errors import InputError, closest
from condyle.model.model import Model
from condyle.status import Status

#: Poses at which it is found which coordinates a joint variable follows, and steps to them [rad, m].
POSES, STEP = 4, 0.05


def sample_loops(
    mechanism: Mechanism,
    form: str,
    box: Mapping[str, tuple[float, float]],
    *,
    tolerance: tuple[float, float, float],
    size: int | Sequence[int] | None = None,
) -> Model:
    """The model of a mechanism with `Sampled` couplings in place of its closed loops.

    box: (lower, upper) of every independent coordinate that moves a loop; form, tolerance, size: as for
    `couplings.sample`. Nothing has to be solved any more while the model moves; the joints that closed the
    loops, and with them their reactions, are gone.
    """
    groups = _groups(mechanism)
    needed = [name for _, independents in groups for name in independents]
    missing = [f"no interval of {name!r}" for name in dict.fromkeys(needed) if name not in box]
    unknown = [f"{name!r} moves no loop{closest(name, needed)}" for name in box if name not in needed]
    if missing or unknown:
        raise InputError("box: " + "; ".join(missing + unknown))
    fits: list[Sampled] = []
    for number, (dependents, independents) in enumerate(groups):
        source = _Loops(f"loops_{number}" if number else "loops", mechanism, dependents, independents)
        start = [_default(mechanism, name) for name in independents]
        intervals = [box[name] for name in independents]
        fits.append(sample(source, form, intervals, tolerance=tolerance, size=size, start=start))
    return replace(mechanism.model, loops=(), couplings=(*mechanism.model.couplings, *fits))


def _default(mechanism: Mechanism, name: str) -> float:
    return float(mechanism.default_state()[0][mechanism.coordinates.index(name)])


def _groups(mechanism: Mechanism) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """(joint variables that close loops, the independent coordinates that all of them follow)."""
    roles = mechanism.roles
    if not mechanism.model.loops or not roles.closing:
        raise InputError(f"model {mechanism.model.name!r} has no closed loops that are embedded")
    names = [roles.tree.coordinates[k] for k in roles.closing]
    if names != [roles.tree.speeds[k] for k in roles.closing_speeds]:
        listed = ", ".join(repr(name) for name in names)
        raise InputError(
            f"model {mechanism.model.name!r}: among {listed} are some whose speeds are not their rates; take "
            "a gimbal in place of a ball, or other independent coordinates"
        )
    q, _ = mechanism.default_state()
    moved = q + STEP * np.random.default_rng(0).uniform(-1, 1, (POSES, q.size))
    for begin in mechanism.unit_groups:
        moved[:, begin : begin + 4] /= np.linalg.norm(moved[:, begin : begin + 4], axis=1, keepdims=True)
    J = np.nan_to_num(mechanism.coupling_matrix(np.vstack([q, moved])))
    found: dict[tuple[str, ...], list[str]] = {}
    for name, row in zip(names, roles.closing_speeds, strict=True):
        sizes = np.abs(J[:, row]).max(axis=0)
        key = tuple(speed for k, speed in enumerate(mechanism.speeds) if sizes[k] > 1e-9)
        found.setdefault(key, []).append(name)
    return [(tuple(dependents), key) for key, dependents in found.items()]


@final
@dataclass(frozen=True, eq=False)
class _Loops:
    """What `sample` asks of a coupling, answered by a mechanism; other coordinates keep their defaults."""

    name: str
    mechanism: Mechanism
    dependents: tuple[str, ...]
    independents: tuple[str, ...]

    def problems(self) -> list[str]:
        return []

    def settled(self, q: np.ndarray, guess: Any) -> np.ndarray:
        """S (k, n), NaN where the loops cannot be closed; always on the branch of the default pose."""
        found = self.mechanism.close(self._all(q))
        place = [self.mechanism.joint_variables.index(name) for name in self.dependents]
        return np.where((found.status == Status.OK)[:, None], found.joint_values[:, place], np.nan)

    def gradient(self, q: np.ndarray, guess: Any) -> np.ndarray:
        J = self.mechanism.coupling_matrix(self._all(q))
        rows, columns = self._places
        return J[:, rows][:, :, columns]

    def hessian(self, q: np.ndarray, guess: Any) -> np.ndarray:
        H = self.mechanism.coupling_hessian(self._all(q))
        rows, columns = self._places
        return H[:, rows][:, :, columns][:, :, :, columns]

    @property
    def _places(self) -> tuple[list[int], list[int]]:
        """Rows and columns of the coupling matrix."""
        rows = [self.mechanism.tree.speeds.index(name) for name in self.dependents]
        return rows, [self.mechanism.speeds.index(name) for name in self.independents]

    def _all(self, q: np.ndarray) -> np.ndarray:
        """(k, nq)."""
        found = np.tile(self.mechanism.default_state()[0], (len(q), 1))
        found[:, [self.mechanism.coordinates.index(name) for name in self.independents]] = q
        return found
