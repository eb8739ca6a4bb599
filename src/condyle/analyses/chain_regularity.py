"""Choices of components for the joints of a closed chain, along a motion that was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from condyle.analyses.kinematic_analysis import KinematicAnalysis
from condyle.compiled.driver_equations import DriverEquations
from condyle.drivers import Driver, EulerRotation
from condyle.drivers.rotational import RotationalDriver
from condyle.errors import InputError, closest
from condyle.status import Status

MOST = 5000  # sets that are looked at
_CHUNK = 64


@dataclass(frozen=True)
class ChainChoice:
    """One set of components, ("SC.e1", ...); condition of D over the frames; the frame of the largest.

    `passes`: det D changes its sign between frames: the set passes a singularity during the motion.
    """

    components: tuple[str, ...]
    least_condition: float
    largest_condition: float
    frame: int
    passes: bool


def chain_regularity(
    kinematics: KinematicAnalysis,
    drivers: Sequence[str],
    components: Sequence[int] = (1, 2, 3),
) -> tuple[ChainChoice, ...]:
    """All sets of as many components as these drivers have freedoms, the best conditioned first.

    drivers: names of rotational drivers of joints that depend on each other, as those of a shoulder girdle.
    components: which of e0 to e3 of each joint may be chosen. All other drivers stay as they are. D is that
    of the bodies' own speeds (angular velocity and velocity of the body frame's origin).
    """
    equations = kinematics.equations
    chosen = _named(equations, drivers)
    labels = [f"{driver.name}.e{k}" for driver in chosen for k in components]
    others = tuple(driver for driver in equations.drivers if driver not in chosen)
    fixed = sum(driver.size for driver in others)
    wanted = len(equations.free_speeds) - equations.constraint_rows - fixed
    sets = list(combinations(range(len(labels)), max(wanted, 0)))
    if not 0 < wanted <= len(labels) or len(sets) > MOST:
        raise InputError(
            f"{wanted} freedoms are left to {', '.join(drivers)} with {len(labels)} components: {len(sets)} "
            f"sets; allowed: 1 to {MOST}"
        )
    single = tuple(
        EulerRotation(f"{d.name}.e{k}", d.parent, d.child, d.parent_frame, d.child_frame, (k,))
        for d in chosen
        for k in components
    )
    candidates = DriverEquations(kinematics.mechanism, (*others, *single), equations.weights)
    good = np.flatnonzero(kinematics.status.ravel() == Status.OK)
    frames = kinematics.status.shape[-1]
    neighbours = (np.diff(good) == 1) & (good[1:] % frames != 0)
    D = _matrices(candidates, kinematics, others, good)
    base = candidates.constraint_rows + fixed
    found = [_examined([labels[k] for k in one], D, base, one, neighbours, good % frames) for one in sets]
    return tuple(sorted(found, key=lambda item: (item.passes, item.largest_condition)))


def _named(equations: DriverEquations, names: Sequence[str]) -> list[RotationalDriver]:
    known = {d.name: d for d in equations.drivers if isinstance(d, RotationalDriver)}
    wrong = [f"no rotational driver {name!r}{closest(name, known)}" for name in names if name not in known]
    if wrong or not names:
        raise InputError("; ".join(wrong) or "no drivers named; at least one is needed")
    return [known[name] for name in names]


def _matrices(
    candidates: DriverEquations, kinematics: KinematicAnalysis, others: tuple[Driver, ...], good: np.ndarray
) -> np.ndarray:
    """D (frames, all rows, free speeds) at the good frames; rows of components do not see their targets."""
    shape = kinematics.status.shape
    q, _, _, given = (part.reshape(-1, part.shape[-1])[good] for part in kinematics.whole)
    parameters = np.broadcast_to(kinematics.parameters, (*shape, kinematics.parameters.shape[-1]))
    parameters = parameters.reshape(kinematics.status.size, -1)[good]
    targets = np.zeros((len(good), sum(len(driver.targets) for driver in candidates.drivers)))
    for driver in others:
        own = kinematics.equations.target_slices[driver.name]
        targets[:, candidates.target_slices[driver.name]] = given[:, own]
    chunks = [slice(k, k + _CHUNK) for k in range(0, len(good), _CHUNK)]
    parts = [candidates.matrix()(q[own], targets[own], parameters[own])[0] for own in chunks]
    return np.concatenate(parts)[..., list(candidates.free_speeds)]


def _examined(
    labels: list[str],
    D: np.ndarray,
    base: int,
    rows: tuple[int, ...],
    neighbours: np.ndarray,
    frames: np.ndarray,
) -> ChainChoice:
    square = D[:, [*range(base), *(base + k for k in rows)]]
    sign = np.linalg.slogdet(square)[0]
    condition = np.linalg.cond(square)
    worst = int(np.argmax(condition))
    passes = bool((neighbours & (sign[1:] * sign[:-1] <= 0)).any())
    return ChainChoice(
        tuple(labels), float(condition.min()), float(condition[worst]), int(frames[worst]), passes
    )
