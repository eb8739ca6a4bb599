"""Checks of drivers and of the motion that they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from condyle.compiled.arguments import common_shape
from condyle.compiled.mechanism import Mechanism
from condyle.drivers import Driver, Motion
from condyle.drivers.motion import UNIT_TOLERANCE
from condyle.errors import InputError, ModelError, Problem, closest


def checked_drivers(mechanism: Mechanism, drivers: Sequence[Driver]) -> tuple[Driver, ...]:
    """The drivers, or all that is wrong with them."""
    drivers = tuple(drivers)
    problems = []
    ground = mechanism.model.ground
    bodies = (ground, *mechanism.bodies)
    minimal = mechanism.minimal.tree.coordinates if any(item.coordinates for item in drivers) else ()
    coordinates = (*mechanism.coordinates, *minimal)
    names = [driver.name for driver in drivers]
    for driver in drivers:
        where = f"drivers.{driver.name}"
        found = driver.problems()
        found += [
            f"unknown body {body!r}{closest(body, bodies)}" for body in driver.bodies if body not in bodies
        ]
        found += [
            f"unknown coordinate {name!r}{closest(name, coordinates)}"
            for name in driver.coordinates
            if name not in coordinates
        ]
        if names.count(driver.name) > 1:
            found.append("the name is given twice")
        problems += [Problem(where, text) for text in found]
    if problems:
        raise ModelError(f"drivers of model {mechanism.model.name!r}", problems)
    return drivers


def checked_targets(
    drivers: Sequence[Driver], motion: Mapping[str, Motion]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(values, rates, accelerations), each (..., frames, targets of all drivers)."""
    names = [driver.name for driver in drivers]
    wrong = [
        f"motion of unknown driver {name!r}{closest(name, names)}" for name in motion if name not in names
    ]
    wrong += [f"no motion for driver {name!r}" for name in names if name not in motion]
    parts: list[Motion] = []
    for driver in drivers:
        given: Any = motion.get(driver.name)
        if given is None:
            continue
        if not isinstance(given, Motion):
            wrong.append(
                f"motion of {driver.name!r} is a {type(given).__name__}; allowed: condyle.drivers.Motion"
            )
        elif given.values.shape[-1] != len(driver.targets):
            listed = ", ".join(driver.targets)
            wrong.append(
                f"motion of {driver.name!r} has {given.values.shape[-1]} targets; "
                f"allowed: {len(driver.targets)} ({listed})"
            )
        else:
            wrong += _orientation_problems(driver, given)
            parts.append(given.continued() if driver.orientation else given)
    if wrong:
        raise InputError("; ".join(wrong))
    if not parts:
        raise InputError("no drivers; at least one is needed")
    shape = common_shape({name: part.values.shape[:-1] for name, part in zip(names, parts, strict=True)})
    columns = [
        [np.broadcast_to(array, (*shape, array.shape[-1])) for array in (p.values, p.rates, p.accelerations)]
        for p in parts
    ]
    values, rates, accelerations = (np.concatenate(kind, axis=-1) for kind in zip(*columns, strict=True))
    missing = ~(np.isfinite(rates).all(-1) & np.isfinite(accelerations).all(-1))
    values[missing] = np.nan
    return values, rates, accelerations


def _orientation_problems(driver: Driver, given: Motion) -> list[str]:
    if not driver.orientation:
        return []
    with np.errstate(invalid="ignore"):
        length = np.linalg.norm(given.values, axis=-1)
        off = np.abs(length - 1) > UNIT_TOLERANCE
    if not off.any():
        return []
    frame = np.argwhere(off)[0]
    return [
        f"motion of {driver.name!r}: frame {frame[-1]} has Euler parameters of length "
        f"{length[tuple(frame)]:.6g}; allowed: 1 within {UNIT_TOLERANCE}"
    ]
