"""Closed forms exist where they make the graph smaller, and structural zeros stay zeros."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from condyle.functions import Constant, Linear
from condyle.joints import Ball, Custom, Ellipsoid, Free, Joint, Pin, Reversed, Weld
from condyle.joints.derived import derived_bias, derived_hinge, hinge, hinge_bias

from .cases import CASES, EVERY, KNEE, RADII


def operations(joint: Joint, *, closed: bool = True) -> int:
    """Instructions of X, H and Hdot u together, shared subexpressions counted once."""
    q, u = ca.SX.sym("q", len(joint.coordinate_names)), ca.SX.sym("u", len(joint.speed_names))
    X = joint.pose(q)
    H = hinge(joint, q, X) if closed else derived_hinge(joint, q, X)
    bias = hinge_bias(joint, q, u, H) if closed else derived_bias(joint, q, u, H)
    return ca.Function("f", [q, u], [ca.cse(ca.veccat(X.R, X.p, H, bias))]).n_instructions()


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_closed_forms_are_no_larger_than_derived_ones(case):
    """No joint pays for a form written by hand: smaller than the derived one, or within 5 %."""
    assert operations(case.joint) <= 1.05 * operations(case.joint, closed=False)


def test_closed_forms_pay():
    """Together the closed forms halve what differentiation alone would cost."""
    assert 2 * sum(operations(c.joint) for c in EVERY) < sum(operations(c.joint, closed=False) for c in EVERY)


@pytest.mark.parametrize(
    ("joint", "most"),
    [
        (Pin("j", "p", "b"), 12),
        (Ball("j", "p", "b", coordinates="xyz"), 45),
        (Ellipsoid("j", "p", "b", radii=RADII), 95),
        (Ellipsoid("j", "p", "b", radii=RADII, normal="true"), 177),
    ],
    ids=["pin", "ball", "ellipsoid", "ellipsoid-true"],
)
def test_instruction_counts_do_not_grow(joint, most):
    """Inputs, outputs and constants included."""
    assert operations(joint) <= most


def test_structural_zeros():
    """Entries of H that are zero in all poses are absent."""
    counts = {}
    joints = {"weld": Weld, "pin": Pin, "ball": Ball, "free": Free, "ellipsoid": Ellipsoid}
    for name, kind in joints.items():
        joint = kind("j", "p", "b")
        counts[name] = hinge(joint, ca.SX.sym("q", len(joint.coordinate_names))).nnz()
    assert counts == {"weld": 0, "pin": 1, "ball": 3, "free": 6, "ellipsoid": 9}
    q = ca.SX.sym("q")
    assert hinge(KNEE, q).nnz() == 3
    assert hinge_bias(KNEE, q, ca.SX.sym("u"), hinge(KNEE, q)).nnz() == 2
    assert KNEE.pose(q).R.nnz() == 5


@pytest.mark.parametrize("case", CASES, ids=str)
def test_constant_hinges_have_no_bias(case):
    """Where H does not depend on q the bias is a structural zero."""
    joint = case.joint
    q, u = ca.SX.sym("q", len(joint.coordinate_names)), ca.SX.sym("u", len(joint.speed_names))
    H = hinge(joint, q)
    assert ca.depends_on(H, q) or hinge_bias(joint, q, u, H).nnz() == 0


def test_idle_rotations_of_a_custom_joint_cost_nothing():
    """A rotation that is constantly zero leaves the sparse matrix of the one that turns."""
    pin = Custom("j", "p", "b", coordinates=("angle",), rx=Constant(0.0), rz=Linear())
    assert operations(pin) == operations(Pin("j", "p", "b"))
    assert pin.pose(ca.SX.sym("q")).R.nnz() == 5


def test_coordinate_axes_are_exact():
    """A pin about an axis of P keeps the zeros and ones of its matrix, also the other way round."""
    for axis in np.vstack([np.eye(3), -np.eye(3)]):
        for joint in (Pin("j", "p", "b", axis=axis), Reversed(Pin("j", "p", "b", axis=axis))):
            assert joint.pose(ca.SX.sym("q")).R.nnz() == 5
