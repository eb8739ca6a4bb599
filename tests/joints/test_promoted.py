"""Numbers of a joint replaced by symbols, as a promoted parameter is."""

from __future__ import annotations

import dataclasses

import casadi as ca
import numpy as np
import pytest

from condyle.functions import Function
from condyle.joints import Joint, Pin
from condyle.joints.derived import hinge, hinge_bias

from .cases import CASES
from .evaluate import close, evaluated

KEPT = {field.name for field in dataclasses.fields(Joint)} | {"inputs"}


def promote(value, symbols: list[ca.SX], numbers: list[float]):
    """The same value with every float replaced by a symbol."""
    if isinstance(value, float):
        symbols.append(ca.SX.sym(f"p{len(symbols)}"))
        numbers.append(value)
        return symbols[-1]
    if isinstance(value, tuple):
        return tuple(promote(item, symbols, numbers) for item in value)
    if isinstance(value, Joint | Function):
        names = [field.name for field in dataclasses.fields(value) if field.name not in KEPT]
        changes = {name: promote(getattr(value, name), symbols, numbers) for name in names}
        return dataclasses.replace(value, **changes)
    return value


@pytest.mark.parametrize("case", CASES, ids=str)
def test_symbols_give_the_same_motion(case):
    """X, H and Hdot u with every number symbolic equal those of the joint as given."""
    symbols: list[ca.SX] = []
    numbers: list[float] = []
    joint = promote(case.joint, symbols, numbers)
    assert joint.problems() == []
    as_given = evaluated(case.joint)
    q, u = ca.SX.sym("q", as_given.nq), ca.SX.sym("u", as_given.nu)
    X, H = joint.pose(q), hinge(joint, q)
    evaluate = ca.Function("f", [q, u, ca.vertcat(*symbols)], [X.R, X.p, H, hinge_bias(joint, q, u, H)])
    rng = np.random.default_rng(3)
    q_value, u_value = case.sample(rng), rng.uniform(-2, 2, as_given.nu)
    R, p, H_value, bias = (np.array(value.full()) for value in evaluate(q_value, u_value, np.array(numbers)))
    assert close(R, as_given.R(q_value), 1e-13)
    assert close(p[:, 0], as_given.p(q_value), 1e-13)
    assert close(H_value, as_given.H(q_value), 1e-12)
    assert close(bias[:, 0], as_given.bias(q_value, u_value), 1e-11)


def test_promoted_axis_stays_a_direction():
    """A promoted axis is divided by its length, so that an optimiser cannot stretch a rotation."""
    axis = ca.SX.sym("axis", 3)
    q = ca.SX.sym("q")
    joint = Pin("j", "p", "b", axis=tuple(axis[k] for k in range(3)))
    R = ca.Function("R", [q, axis], [joint.pose(q).R])(0.7, [0.0, 0.0, 5.0]).full()
    assert np.abs(R - evaluated(Pin("j", "p", "b")).R(np.array([0.7]))).max() < 1e-15
