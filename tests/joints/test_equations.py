"""Implicit equations of every joint: they vanish on its poses, and leave exactly its motions."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condyle.joints import CurvedTube, Custom, Joint, Screw
from condyle.spatial import Transform, skew

from .cases import EVERY
from .evaluate import evaluated

CLOSED = [case for case in EVERY if case.joint.equations(Transform.identity()) is not None]
every_closed = pytest.mark.parametrize("case", CLOSED, ids=str)
few = settings(max_examples=8, deadline=None)
seeds = st.integers(0, 2**32 - 1)


@cache
def _equations(joint: Joint) -> ca.Function:
    """(R, p) -> equations and their rates along the six unit twists of B in P, about B's origin."""
    R, p, V = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3), ca.SX.sym("V", 6)
    g = joint.equations(Transform(R, p))
    assert g is not None
    flow = ca.vertcat(ca.vec(ca.mtimes(skew(V[:3]), R)), V[3:])
    rate = ca.jtimes(g, ca.vertcat(ca.vec(R), p), flow)
    return ca.Function("equations", [R, p], [ca.densify(g), ca.densify(ca.jacobian(rate, V))])


def test_only_joints_made_of_functions_have_no_closed_equations():
    """So that a missing method is seen here."""
    for case in EVERY:
        if case not in CLOSED:
            assert isinstance(case.joint.forward, Custom | CurvedTube)
    assert any(isinstance(case.joint.forward, CurvedTube) for case in CLOSED)


@every_closed
@few
@given(seed=seeds)
def test_equations_vanish_on_poses_and_leave_the_joints_motions(case, seed):
    """g(X(q)) = 0, dg H = 0, rank dg = 6 - nu."""
    joint, rng = case.joint, np.random.default_rng(seed)
    q = case.sample(rng)
    found = evaluated(joint)
    g, slope = (np.array(value.full()) for value in _equations(joint)(found.R(q), found.p(q)))
    H = found.H(q)
    nu = H.shape[1]
    assert g.size == 6 - nu
    assert np.abs(g).max(initial=0.0) < 1e-13
    assert np.abs(slope @ H).max(initial=0.0) < 1e-13
    values = np.linalg.svd(slope, compute_uv=False)
    assert g.size == 0 or values.min() > 0.02 * values.max()


@pytest.mark.parametrize("turns", [-40.0, -2.5, 1.0, 123.4])
def test_a_screw_counts_its_turns(turns):
    """Its equations hold at many turns, and not at the same orientation one pitch beside."""
    joint = Screw("screw", "p", "b", axis=(2 / 7, 3 / 7, 6 / 7), pitch=-0.03)
    q = np.array([2 * np.pi * turns])
    R, p = evaluated(joint).R(q), evaluated(joint).p(q)
    assert np.abs(_equations(joint)(R, p)[0].full()).max() < 1e-13
    beside = p + 0.25 * 2 * np.pi * 0.03 * np.array(joint.axis)
    assert np.abs(_equations(joint)(R, beside)[0].full()).max() > 0.029
