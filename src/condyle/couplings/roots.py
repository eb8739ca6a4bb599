"""Solutions of implicit couplings as numbers, many at once, where no mechanism is at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from condyle.couplings.linear import LinearSystem
from condyle.errors import InputError

if TYPE_CHECKING:
    from condyle.couplings.base import Coupling

ITERATIONS = 50
HALVINGS = 12  # of one step, before a member is given up
_CLOSED = 1e-12  # step at which the solution is taken, relative to 1 + |s|: its own error is the square of it
_CLOSE = 1e-7  # a step this small counts as well where round-off keeps it from falling further


def newton_step(coupling: Coupling) -> ca.Function:
    """(q, s) -> (Newton's step of s, |g|)."""
    q, s = ca.SX.sym("q", len(coupling.independents)), ca.SX.sym("s", len(coupling.dependents))
    g = ca.densify(coupling.residual(q, s))
    step = ca.densify(LinearSystem(ca.jacobian(g, s)).solve(-g))
    return ca.Function("step", [q, s], [step, ca.norm_2(g)])


def solved_numbers(coupling: Coupling, step_function: ca.Function, q: np.ndarray, start: Any) -> np.ndarray:
    """S (k, n) with g(q, s) = 0 at q (k, m), by Newton steps from `start` (n) or (k, n), halved while |g|
    grows.

    step_function: that of `newton_step`. An error names the joint variables where there is no solution
    near the start.
    """
    count, n = len(q), len(coupling.dependents)
    s = np.array(np.broadcast_to(np.asarray(start, dtype=float).reshape(-1, n), (count, n)))
    if not count:
        return s
    function = step_function.map(count)

    def evaluate(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = function(q.T, s.T)
        return np.array(found[0].full()).T, np.array(found[1].full())[0]

    step, size = evaluate(s)
    scale = np.ones(count)
    done = np.zeros(count, dtype=bool)
    with np.errstate(invalid="ignore", over="ignore"):
        for _ in range(ITERATIONS):
            relative = (np.abs(step) / (1 + np.abs(s))).max(axis=1)
            done |= relative <= _CLOSED
            if done.all():
                break
            trial = np.where(done[:, None], s, s + scale[:, None] * step)
            new_step, new_size = evaluate(trial)
            fell = (new_size < size) | done
            # At round-off the residual no longer falls; what is left of the step says how good the solution
            # is.
            stuck = ~fell & (relative <= _CLOSE)
            done |= stuck
            good = fell & ~done
            s = np.where(good[:, None], trial, s)
            step, size = np.where(good[:, None], new_step, step), np.where(good, new_size, size)
            scale = np.where(good, 1.0, scale / 2)
            if (scale[~done] < 0.5**HALVINGS).all():
                break
    if not done.all():
        raise InputError(_unsolved(coupling, q, ~done))
    return s + step


def _unsolved(coupling: Coupling, q: np.ndarray, failed: np.ndarray) -> str:
    dependents = ", ".join(repr(name) for name in coupling.dependents)
    first = q[np.flatnonzero(failed)[0]]
    where = ", ".join(
        f"{name} = {value:.6g}" for name, value in zip(coupling.independents, first, strict=True)
    )
    return (
        f"coupling {coupling.name!r}: {int(failed.sum())} of {len(q)} values of {dependents} were not found, "
        f"first at {where}; it is out of reach there, or needs a closer guess"
    )
