"""Whether drivers guide what the joints leave free: counts, ranks and names, before anything is solved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from condyle.compiled.driver_equations import DriverEquations

_POSES = 3
_STEP = 0.1  # how far poses that are looked at lie from the start [rad, m]
_RANK = 1e-7  # singular values below this, relative to the largest, of rows of unit length
_MOVES = 1e-6
_DAMPING = 1e-10  # rows of joints may be redundant


@dataclass(frozen=True)
class DriverReport:
    """Freedoms that the joints and constraints leave; rows and freedoms of the drivers; what does not fit.

    open_freedoms: how many remain unguided, `open_joints` where; surplus: how many driven freedoms follow
    from the other rows, `surplus_drivers`: drivers without which the rows would say the same; where there is
    none, those that repeat others in part.
    """

    freedoms: int
    rows: int
    driven: int
    open_freedoms: int
    open_joints: tuple[str, ...]
    surplus: int
    surplus_drivers: tuple[str, ...]
    whole_drivers: bool  # whether these could be left out as they are

    def problems(self) -> list[str]:
        """Over- and under-determination as sentences."""
        found = []
        if self.open_freedoms:
            found.append(
                f"the mechanism has {self.freedoms} freedoms, the drivers guide {self.driven}: "
                f"{self.open_freedoms} of them {'is' if self.open_freedoms == 1 else 'are'} left open, "
                f"at {_listed(self.open_joints)}; allowed: as many independent drivers as freedoms"
            )
        if self.surplus:
            verb = "that could be left out" if self.whole_drivers else "that repeat others in part"
            found.append(
                f"the mechanism has {self.freedoms} freedoms, the drivers guide {self.driven}: "
                f"{self.surplus} too many; drivers {verb}: {_listed(self.surplus_drivers)}; "
                "allowed: as many as freedoms, or overdetermined='least_squares'"
            )
        return found


def examine_drivers(equations: DriverEquations, start: np.ndarray, targets: np.ndarray) -> DriverReport:
    """Ranks at assembled poses near `start` (coordinates of the tree)."""
    n = equations.constraint_rows
    free = list(equations.free_speeds)
    generator = np.random.default_rng(0)
    D = np.zeros((len(equations.row_names), len(equations.tree.speeds)))
    whole, q = -1, start
    for _ in range(_POSES):
        # The rank that counts is that of poses in general: a start may be singular, a row may vanish there.
        q = _assembled(equations, q, targets)
        found = _unit_rows(equations.matrix()(q, targets, _parameters(equations))[0])
        rank = _rank(found[:, free])
        if rank > whole:
            D, whole = found, rank
        if whole == len(free):
            break
        change = np.zeros(len(equations.tree.speeds))
        change[free] = _STEP * generator.standard_normal(len(free))
        q = equations.moved()(start, change)
    held = _rank(D[:n, free])
    freedoms, driven = len(free) - held, sum(driver.freedoms for driver in equations.drivers)
    open_freedoms = len(free) - whole
    surplus = max(0, driven - (whole - held))
    losses = {
        item.name: whole - _rank(np.delete(D[:, free], item.rows, axis=0))
        for item in equations.items
        if surplus and item.driver
    }
    surplus_drivers = [name for name, loss in losses.items() if not loss]
    whole_drivers = bool(surplus_drivers)
    if not whole_drivers:
        guided = {driver.name: driver.freedoms for driver in equations.drivers}
        surplus_drivers = [name for name, loss in losses.items() if loss < guided[name]]
    open_joints: tuple[str, ...] = ()
    if open_freedoms:
        motions = np.zeros((len(equations.tree.speeds), open_freedoms))
        motions[free] = np.linalg.svd(D[:, free])[2][whole:].T
        open_joints = _moving_joints(equations, motions)
    rows = sum(driver.size for driver in equations.drivers)
    return DriverReport(
        freedoms, rows, driven, open_freedoms, open_joints, surplus, tuple(surplus_drivers), whole_drivers
    )


def _assembled(equations: DriverEquations, q: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Least-squares steps of the joints and constraints alone."""
    free, n = list(equations.free_speeds), equations.constraint_rows
    for _ in range(20):
        D, phi = equations.matrix()(q, targets, _parameters(equations))
        if not np.isfinite(D).all() or np.abs(phi[:n]).max(initial=0.0) < 1e-12:
            break
        change = np.zeros(len(equations.tree.speeds))
        held = D[:n, free]
        change[free] = held.T @ np.linalg.solve(held @ held.T + _DAMPING * np.eye(n), -phi[:n])
        q = equations.moved()(q, change)
    return q


def _parameters(equations: DriverEquations) -> np.ndarray:
    return equations.mechanism.parameter_defaults


def _unit_rows(D: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(D, axis=1, keepdims=True)
    return np.where(np.isfinite(D) & (length > 0), D / np.where(length > 0, length, 1.0), 0.0)


def _rank(D: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(D, tol=_RANK * max(D.shape, default=1))) if D.size else 0


def _moving_joints(equations: DriverEquations, motions: np.ndarray) -> tuple[str, ...]:
    """Joints whose two bodies turn or part under some of the motions (speeds of the tree, k)."""
    tree = equations.tree
    assert tree.described is not None
    found = []
    for link in tree.described.links:
        joint = link.joint
        child = _twist(equations, joint.child, motions)
        parent = _twist(equations, joint.parent, motions)
        turns = np.abs(child[:3] - parent[:3]).max() > _MOVES
        # A slide shows in the velocities only where nothing turns.
        slides = np.abs(child - parent).max() > _MOVES and np.abs(parent[:3]).max() <= _MOVES
        if turns or slides:
            found.append(joint.name)
    return tuple(found)


def _twist(equations: DriverEquations, body: str, motions: np.ndarray) -> np.ndarray:
    tree = equations.tree
    index = tree.link_of(body)
    return np.zeros((6, motions.shape[1])) if index < 0 else motions[tree.links[index].u]


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"
