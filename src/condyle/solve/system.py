"""What is integrated: kernels of a right-hand side and of what goes with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from condyle.errors import InputError

if TYPE_CHECKING:
    from condyle.kernels import Kernel


@final
@dataclass(frozen=True)
class Event:
    """How a zero of an event function counts.

    direction: +1 only where it rises through zero, -1 only where it falls, 0 both. terminal: it ends the
    member.
    """

    direction: int = 0
    terminal: bool = False

    def __post_init__(self) -> None:
        if self.direction not in (-1, 0, 1):
            raise InputError(f"an event's direction is {self.direction!r}; allowed: -1, 0, 1")


@final
@dataclass(frozen=True, eq=False)
class System:
    """y' = f(y, t, p), y in R^n.

    rhs: kernel (y (n), time (1), p (np)) -> ydot (n).
    jacobian: kernel (y, time, p) -> (df/dy (n, n), df/dt (n)); only implicit methods need it.
    unit_groups: indices in y at which four Euler parameters start; they are scaled to unit length in the
    initial
        state, at accepted steps and in output, never inside the right-hand side.
    position_projection, velocity_projection: kernels (y, time, p) -> (y_new (n), residual (1)): one Newton
    step
        towards the manifold, and the residual (max norm) *before* it. They are applied in this order to the
        initial state, after accepted steps and to output, until the residual is within the constraint
        tolerance.
    closing: kernel (y, time, p) -> step (nc) by which the last nc states approach the solution of their
    equations;
        they follow from the others, are not integrated (their rates only predict), and are closed wherever a
        kernel is evaluated. The Jacobian is then of the other states, (n - nc, n - nc), with what follows
        from them included.
    events: kernel (y, time, p) -> values (ne); zeros are reported as `integrate`'s `events` say.
    second_order: the integrated states are two halves (q, u), and qdot = u: implicit methods then factor
    matrices of half the size.
    """

    n_state: int
    rhs: Kernel
    jacobian: Kernel | None = None
    unit_groups: Sequence[int] = ()
    position_projection: Kernel | None = None
    velocity_projection: Kernel | None = None
    events: Kernel | None = None
    closing: Kernel | None = None
    second_order: bool = False

    def __post_init__(self) -> None:
        wrong = []
        for group in self.unit_groups:
            if not 0 <= group <= self.n_state - 4:
                wrong.append(f"unit group at {group} does not fit into {self.n_state} states")
        free = self.n_state - self.n_closing
        if self.second_order and free % 2:
            wrong.append(f"second_order: {free} integrated states are no two halves")
        kernels = {
            "rhs": (self.rhs, [_rows(self.n_state)]),
            "jacobian": (self.jacobian, [(free, free), _rows(free)]),
            "position_projection": (self.position_projection, [_rows(self.n_state), (1,)]),
            "velocity_projection": (self.velocity_projection, [_rows(self.n_state), (1,)]),
            "events": (self.events, [None]),
            "closing": (self.closing, [None]),
        }
        for name, (kernel, outputs) in kernels.items():
            if kernel is None:
                continue
            sizes = [_size(shape) for _, shape in kernel.inputs]
            if len(sizes) != 3 or sizes[:2] != [self.n_state, 1] or sizes[2] != self.n_parameters:
                wrong.append(
                    f"{name}: inputs of sizes {sizes}; expected y, time, p of sizes "
                    f"{[self.n_state, 1, self.n_parameters]}"
                )
            found = [tuple(shape) for _, shape in kernel.outputs]
            if len(found) != len(outputs) or any(
                shape is not None and _size(shape) != _size(other)
                for shape, other in zip(outputs, found, strict=True)
            ):
                expected = ["any" if shape is None else shape for shape in outputs]
                wrong.append(f"{name}: outputs of shapes {found}; expected {expected}")
        if wrong:
            raise InputError("this is no system of differential equations: " + "; ".join(wrong))

    @property
    def n_parameters(self) -> int:
        """Length of p."""
        inputs = self.rhs.inputs
        return _size(inputs[2][1]) if len(inputs) > 2 else 0

    @property
    def n_closing(self) -> int:
        """Number of states that follow from the others."""
        return 0 if self.closing is None else _size(self.closing.outputs[0][1])

    @property
    def n_events(self) -> int:
        """Number of event functions."""
        return 0 if self.events is None else _size(self.events.outputs[0][1])


def _rows(n: int) -> tuple[int, ...]:
    return (n,)


def _size(shape: Sequence[int]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size
