"""Every built-in joint rebuilt as a custom joint gives the same dynamics."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given

from condyle.joints import Reversed

from ..joints.cases import REBUILT, Case
from ..joints.evaluate import evaluated
from .mechanisms import Numbers, chain, close, few, seeds

INDICES = range(len(REBUILT))


@cache
def _pair(index: int, turned: bool) -> tuple[Numbers, Numbers]:
    rebuilt = REBUILT[index]
    joints = [Reversed(joint) if turned else joint for joint in (rebuilt.joint, rebuilt.custom)]
    one, other = (chain(Case(joint, rebuilt.sample)) for joint in joints)
    return Numbers(*one, loads=("tip",)), Numbers(*other, loads=("tip",))


@pytest.mark.parametrize("turned", [False, True], ids=["", "reversed"])
@pytest.mark.parametrize(
    "index", INDICES, ids=lambda i: f"{type(REBUILT[i].joint).__name__}-{REBUILT[i].joint.name}"
)
@few
@given(seed=seeds)
def test_rebuilt_joint_has_the_same_dynamics(index, turned, seed):
    """Same body accelerations and reactions for the same motion and the same virtual power, u'tau =
    qdot'tau_custom.
    """
    one, other = _pair(index, turned)
    state = one.state(np.random.default_rng(seed))
    N = evaluated(REBUILT[index].joint).N(state.q[2:])
    rates = np.concatenate([state.u[:2], N @ state.u[2:]])
    tau = np.concatenate([state.tau[:2], N.T @ state.tau[2:]])
    state = replace(state, tau=tau)
    twin = replace(state, u=rates, tau=np.concatenate([tau[:2], np.linalg.solve(N.T, tau[2:])]))
    found = one("forward_dynamics_and_reactions", state)
    expected = other("forward_dynamics_and_reactions", twin)
    moved = one.one("body_accelerations", replace(state, udot=found["udot"]))
    twin_moved = other.one("body_accelerations", replace(twin, udot=expected["udot"]))
    condition = max(one.condition(state), other.condition(twin)) * np.linalg.cond(N)
    assert close(moved, twin_moved, condition * (np.abs(moved).max() + (rates**2).max()))
    assert close(found["reactions"], expected["reactions"], condition * np.abs(found["reactions"]).max())
