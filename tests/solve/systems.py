"""Small systems for the tests, as kernels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import casadi as ca

from condyle.kernels import build
from condyle.solve import System

Expressions = Callable[[Any, Any, Any], Any]


def kernel(name: str, make: Callable[[Any, Any, Any], list[Any]], n: int, n_parameters: int) -> Any:
    """Kernel (y, time, p) -> what `make` returns."""

    def trace() -> Any:
        y, t, p = ca.SX.sym("y", n), ca.SX.sym("t"), ca.SX.sym("p", n_parameters)
        outputs = [ca.densify(ca.SX(item)) for item in make(y, t, p)]
        return ca.Function(
            name, [y, t, p], outputs, ["y", "time", "p"], [f"o{i}" for i in range(len(outputs))]
        )

    return build(trace, None, name)


def system(f: Expressions, n: int, n_parameters: int = 0, **rest: Any) -> System:
    """y' = f(y, t, p) with its Jacobian.

    events: function of (y, t, p) -> list of values; projections: -> [new state, residual].
    """

    def rate(y: Any, t: Any, p: Any) -> Any:
        value = f(y, t, p)
        return ca.vertcat(*value) if isinstance(value, list) else ca.SX(value)

    def jacobian(y: Any, t: Any, p: Any) -> list[Any]:
        value = rate(y, t, p)
        return [ca.jacobian(value, y), ca.jacobian(value, t)]

    def outputs(name: str, y: Any, t: Any, p: Any) -> list[Any]:
        values = rest[name](y, t, p)
        return [ca.vertcat(*values)] if name == "events" else values

    kernels = {
        name: kernel(name, partial(outputs, name), n, n_parameters)
        for name, make in rest.items()
        if callable(make)
    }
    other = {name: value for name, value in rest.items() if name not in kernels}
    return System(
        n,
        kernel("rhs", lambda y, t, p: [rate(y, t, p)], n, n_parameters),
        kernel("jacobian", jacobian, n, n_parameters),
        **kernels,
        **other,
    )


def pendulum() -> System:
    """q'' = -p sin q."""
    return system(lambda y, t, p: ca.vertcat(y[1], -p * ca.sin(y[0])), 2, 1)


def forced() -> System:
    """A nonlinear, non-autonomous system whose solution is (sin theta, cos theta), theta = 3 t + sin t.

    Derivatives of f of all orders, df/dt included, take part in the errors of a method.
    """

    def f(y: Any, t: Any, p: Any) -> Any:
        speed, excess = 3 + ca.cos(t), y[0] ** 2 + y[1] ** 2 - 1
        return ca.vertcat(speed * y[1] - excess * y[0], -speed * y[0] - excess * y[1])

    return system(f, 2)


def van_der_pol() -> System:
    """y'' = p ((1 - y^2) y' ) - y, stiff for large p."""
    return system(lambda y, t, p: ca.vertcat(y[1], p * (1 - y[0] ** 2) * y[1] - y[0]), 2, 1)


def robertson() -> System:
    """Robertson's chemical kinetics."""

    def f(y: Any, t: Any, p: Any) -> Any:
        first = 0.04 * y[0]
        second = 1e4 * y[1] * y[2]
        third = 3e7 * y[1] ** 2
        return ca.vertcat(-first + second, first - second - third, third)

    return system(f, 3)
