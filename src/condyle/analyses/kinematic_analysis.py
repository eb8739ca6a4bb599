"""Positions, velocities and accelerations of a mechanism that drivers guide, frame by frame [000-1 to 3]."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from condyle.analyses.driver_counts import DriverReport, examine_drivers
from condyle.analyses.driver_input import checked_drivers, checked_targets
from condyle.analyses.driver_regularity import examine_driver
from condyle.analyses.driver_start import start_from_targets
from condyle.analyses.relative_motion import relative_motion, relative_parameters
from condyle.compiled.arguments import parameter_values
from condyle.compiled.driver_equations import WEIGHTS, DriverEquations
from condyle.compiled.mechanism import Mechanism
from condyle.drivers import Driver, Motion
from condyle.drivers.rotational import RotationalDriver
from condyle.errors import InputError, closest
from condyle.solve import follow_frames
from condyle.status import Status

CHOICES = ("refuse", "least_squares")
_FOLLOWED = np.radians(0.1)  # of a driver of all three freedoms, beyond which its orientation is another


@dataclass(frozen=True, eq=False)
class KinematicAnalysis:
    """Motion of the mechanism at every frame; "..." are the batch axes of the given motion (trials).

    q (..., frames, nq), u, udot (..., frames, nu): u and udot are NaN where `status` (..., frames) is not OK:
    BAD_INPUT (no data), INFEASIBLE (the joints cannot be assembled), SINGULAR, NOT_CONVERGED; q is then the
    best state that was found. iterations (..., frames). residual (..., frames, rows): Phi in the order of
    `row_names`. regularity (..., frames): smallest over largest pivot of D, about one over its condition,
    0 where the equations are singular. deviation {driver: (..., frames)}: angle
    [rad] from the orientation that is prescribed to the one found. `remarks`: what a reader should know.
    """

    mechanism: Mechanism
    drivers: tuple[Driver, ...]
    equations: DriverEquations
    report: DriverReport
    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray
    status: np.ndarray
    iterations: np.ndarray
    residual: np.ndarray
    regularity: np.ndarray
    deviation: Mapping[str, np.ndarray]
    remarks: tuple[str, ...]
    whole: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # q, u, udot of the tree, targets
    parameters: np.ndarray

    @property
    def row_names(self) -> tuple[str, ...]:
        """Of all equations: joints and constraints, then drivers."""
        return self.equations.row_names

    @property
    def constraint_residual(self) -> np.ndarray:
        """Largest |Phi| (..., frames) of joints and constraints."""
        rows = self.residual[..., : self.equations.constraint_rows]
        return np.abs(rows).max(axis=-1, initial=0.0)

    @property
    def driver_residual(self) -> np.ndarray:
        """Largest |Phi| (..., frames) of drivers: not 0 where rows are redundant and data do not fit."""
        rows = self.residual[..., self.equations.constraint_rows :]
        return np.abs(rows).max(axis=-1, initial=0.0)

    def relative_motion(self, driver: str) -> Motion:
        """p_ij (..., frames, 4) of the two frames of a rotational driver with its rates, as found."""
        known = {item.name: item for item in self.drivers if isinstance(item, RotationalDriver)}
        if driver not in known:
            raise InputError(f"no rotational driver {driver!r}{closest(driver, known)}")
        return relative_motion(self.equations, known[driver], self.whole)

    def explain(self, *frame: int) -> str:
        """One sentence on how a frame ended, with the rows that are farthest from 0."""
        status = Status(int(self.status[frame]))
        rows = np.abs(self.residual[frame])
        order = [k for k in np.argsort(rows)[::-1][:5] if rows[k] > 1e-9]
        listed = ", ".join(f"{self.row_names[k]} {self.residual[frame][k]:.3g}" for k in order)
        rest = f"rows that do not vanish: {listed}" if listed else "all rows vanish"
        return (
            f"frame {frame[-1]}: {status.name} after {self.iterations[frame]} iterations, regularity "
            f"{self.regularity[frame]:.2g}; {rest}"
        )


def kinematic_analysis(
    mechanism: Mechanism,
    drivers: Sequence[Driver],
    motion: Mapping[str, Motion],
    *,
    start: Any = None,
    parameters: Any = None,
    weights: tuple[float, float] = WEIGHTS,
    overdetermined: str = "refuse",
    tolerance: float = 1e-10,
    assembled: float = 1e-6,
    max_iterations: int = 50,
    lanes: int | None = None,
) -> KinematicAnalysis:
    """Newton-Raphson from frame to frame, each from the last that succeeded; D v = nu, D vdot = gamma.

    mechanism: compiled with formulation="absolute". motion: {driver: `Motion`}, all with the same frames;
    leading axes are trials. start (..., nq): the first guess; by default it follows from the data of the
    first frame, or of the next ones where that one fails. Of p* and -p* the one is used that lies on the
    side of the start. Iterations end when the largest change is within `tolerance`; then the residuals of
    joints and constraints must be within `assembled`. weights: of joint and of driver rows, in the least
    squares that are solved where there are more rows than speeds. overdetermined: "refuse" drivers of more
    freedoms than there are, or "least_squares".
    """
    if mechanism.formulation != "absolute":
        raise InputError(
            f"the mechanism of model {mechanism.model.name!r} is in minimal coordinates; drivers need "
            "cd.compile(model, formulation='absolute')"
        )
    if overdetermined not in CHOICES:
        raise InputError(f"overdetermined: {overdetermined!r}{closest(str(overdetermined), CHOICES)}")
    drivers = checked_drivers(mechanism, drivers)
    equations = DriverEquations(mechanism, drivers, weights)
    values, rates, accelerations = checked_targets(drivers, motion)
    shape, n_frames = values.shape[:-2], values.shape[-2]
    members = int(np.prod(shape))
    flat = [part.reshape(members, n_frames, part.shape[-1]) for part in (values, rates, accelerations)]
    first = _first_known(flat[0])
    given = mechanism.default_state()[0] if start is None else np.asarray(start, dtype=float)
    if given.shape[-1:] != (len(mechanism.coordinates),):
        raise InputError(f"start: shape {given.shape}; allowed: (..., {len(mechanism.coordinates)})")
    begin = np.broadcast_to(equations.whole(given), (*shape, len(equations.tree.coordinates)))
    begin = begin.reshape(members, -1)
    if start is None:
        # One per frame: should the first ones be singular, the next does not start from there.
        filled = np.where(_known(flat[0])[..., None], flat[0], first[:, None])
        begin = start_from_targets(equations, begin[:, None], filled)
    else:
        flat = _on_the_side_of(equations, begin, first, flat)
    known = np.flatnonzero(np.isfinite(first).all(-1))
    if not known.size:
        raise InputError("no frame has data of all drivers")
    member = known[0]
    nearest = begin[member] if start is not None else begin[member, _known(flat[0])[member].argmax()]
    report = examine_drivers(equations, nearest, _first_known(flat[0])[member])
    problems = [
        text
        for text in report.problems()
        if not (overdetermined == "least_squares" and not report.open_freedoms)
    ]
    if problems:
        raise InputError("; ".join(problems))
    numbers = parameter_values(parameters, mechanism.parameters, mechanism.parameter_defaults)
    by_member = np.broadcast_to(numbers, (*shape, numbers.shape[-1])).reshape(members, -1)
    found = follow_frames(
        equations.step(),
        begin,
        flat[0],
        by_member,
        tolerance=tolerance,
        allowed=assembled,
        max_iterations=max_iterations,
        lanes=lanes,
    )
    u, udot, residual, _ = equations.motion()(found.x, *flat, by_member[:, None, :])
    failed = (found.status != Status.OK)[..., None]
    u, udot = np.where(failed, np.nan, u), np.where(failed, np.nan, udot)

    def shaped(array: np.ndarray) -> np.ndarray:
        return array.reshape(*shape, *array.shape[1:])

    whole = shaped(found.x), shaped(u), shaped(udot), shaped(flat[0])
    status = shaped(found.status)
    deviation = _deviations(equations, whole[0], whole[3], status)
    remarks = _remarks(equations, deviation, whole[3])
    for text in remarks:
        warnings.warn(text, stacklevel=2)
    return KinematicAnalysis(
        mechanism,
        drivers,
        equations,
        report,
        whole[0][..., equations.coordinates],
        whole[1][..., equations.speeds],
        whole[2][..., equations.speeds],
        status,
        shaped(found.iterations),
        shaped(residual),
        shaped(found.regularity),
        deviation,
        remarks,
        whole,
        by_member.reshape(*shape, 1, -1),
    )


def _first_known(values: np.ndarray) -> np.ndarray:
    """Targets (members, n) of the first frame that has all of them; of the first frame where none has."""
    return values[np.arange(len(values)), _known(values).argmax(axis=-1)]


def _known(values: np.ndarray) -> np.ndarray:
    return np.asarray(np.isfinite(values).all(axis=-1))


def _on_the_side_of(
    equations: DriverEquations, start: np.ndarray, first: np.ndarray, flat: list[np.ndarray]
) -> list[np.ndarray]:
    """The targets with the sign of p* that is nearer to p_ij at the start."""
    flat = [part.copy() for part in flat]
    for driver in equations.drivers:
        if isinstance(driver, RotationalDriver) and driver.orientation:
            columns = equations.target_slices[driver.name]
            here = relative_parameters(equations, driver, start)
            sign = np.where((here * first[:, columns]).sum(-1) < 0, -1.0, 1.0)[:, None, None]
            for part in flat:
                part[..., columns] *= sign
    return flat


def _deviations(
    equations: DriverEquations, q: np.ndarray, targets: np.ndarray, status: np.ndarray
) -> dict[str, np.ndarray]:
    found = {}
    for driver in equations.drivers:
        if isinstance(driver, RotationalDriver) and driver.orientation:
            p = relative_parameters(equations, driver, q)
            wanted = targets[..., equations.target_slices[driver.name]]
            sign = np.where((p * wanted).sum(-1, keepdims=True) < 0, -1.0, 1.0)
            # Of small angles the chord knows more digits than the cosine.
            angle = 4 * np.arcsin(np.minimum(np.linalg.norm(p - sign * wanted, axis=-1) / 2, 1.0))
            found[driver.name] = np.where(status == Status.OK, angle, np.nan)
    return found


def _remarks(
    equations: DriverEquations, deviation: Mapping[str, np.ndarray], targets: np.ndarray
) -> tuple[str, ...]:
    """Components that fail on the prescribed motion, and rows that vanish at another one."""
    tree = equations.mechanism.tree.described or equations.tree
    found = []
    for driver in equations.drivers:
        parts = []
        report = examine_driver(tree, driver, targets[..., equations.target_slices[driver.name]])
        if report is not None and report.warning:
            parts.append(report.warning)
        angle = deviation.get(driver.name)
        if (
            angle is not None
            and driver.freedoms == 3
            and not equations.weighted
            and np.nanmax(angle, initial=0.0) > _FOLLOWED
        ):
            frame = np.unravel_index(np.nanargmax(angle), angle.shape)[-1]
            parts.append(
                f"driver {driver.name!r}: its rows vanish, but at another orientation than the prescribed "
                f"one in {int((angle > _FOLLOWED).sum())} of {angle.size} frames (up to "
                f"{np.degrees(np.nanmax(angle)):.1f} degrees, frame {frame}): its components do not tell "
                "that from its mirror image. Choose components 1, 2, 3, or FullRotation"
            )
        if parts:
            found.append("; ".join(parts))
    return tuple(found)
