"""A joint that grants its freedoms against a wider joint whose other freedoms are constrained: the same to
1e-12.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import casadi as ca
import numpy as np
import pytest
from hypothesis import given

from condyle import Body, Model, Placement
from condyle.constraints import PointOnSurface
from condyle.joints import Ball, Free, Universal
from condyle.spatial import euler_parameters_from_rotation

from ..dynamics.mechanisms import Numbers, State, close, few, joined, random_body, seeds
from ..joints.cases import euler_parameters
from ..joints.evaluate import evaluated
from .twins import TWINS

ROUNDINGS = 4500  # 1e-12


@cache
def _numbers(index: int) -> tuple[Numbers, Numbers]:
    twin = TWINS[index]
    one, other = twin.models()
    sample = joined([lambda rng: rng.uniform(-3, 3, 2), twin.sample])
    return Numbers(one, sample, loads=("base", "tip")), Numbers(other, sample, loads=("base", "tip"))


def _twin_state(index: int, state: State) -> State:
    """The wider joint's coordinates and speeds for the same motion."""
    twin = TWINS[index]
    joint, q, u = evaluated(twin.joint), state.q[2:], state.u[2:]
    R, p, V = joint.R(q), joint.p(q), joint.H(q) @ u
    if isinstance(twin.wider, Free):
        wide_q, wide_u = np.concatenate([euler_parameters_from_rotation(R), p]), V
    else:
        wide_q = (
            np.concatenate([q, p[2:]])
            if "displacement" in twin.wider.coordinate_names
            else np.append(q, p[:2])
        )
        wide_u = np.linalg.lstsq(evaluated(twin.wider).H(wide_q), V, rcond=None)[0]
    quiet = np.zeros(2 + wide_u.size)
    quiet[:2] = state.tau[:2]
    q, u = np.concatenate([state.q[:2], wide_q]), np.concatenate([state.u[:2], wide_u])
    return replace(state, q=q, u=u, udot=quiet, tau=quiet)


def _constraint_wrenches(numbers: Numbers, state: State, multipliers: np.ndarray) -> np.ndarray:
    """What the constraints apply to the tip, about its joint frame's origin, in that frame's axes."""
    system = numbers.graph.constrained
    symbol = ca.SX.sym("multipliers", multipliers.size)
    moment, force = system.wrenches(symbol).get(1, (ca.SX(3, 1), ca.SX(3, 1)))
    function = ca.Function("w", [numbers.graph.q, symbol], [ca.densify(moment), ca.densify(force)])
    return np.concatenate([value.full()[:, 0] for value in function(state.q, multipliers)])


@pytest.mark.parametrize("index", range(len(TWINS)), ids=lambda i: str(TWINS[i]))
@few
@given(seed=seeds)
def test_constrained_twin_moves_alike(index, seed):
    """Same body accelerations; the joint's reaction = the twin's multipliers as a wrench + its own joint's
    reaction.
    """
    one, other = _numbers(index)
    state = one.state(np.random.default_rng(seed))
    tau = np.zeros(one.nu)
    tau[:2] = state.tau[:2]
    state = replace(state, tau=tau)
    twin = _twin_state(index, state)
    found = one("forward_dynamics_and_reactions", state)
    expected = other("forward_dynamics_and_reactions", twin)
    assert close(other("constraint_equations", twin)["residual"], np.zeros(1), 1.0)
    moved = one.one("body_accelerations", replace(state, udot=found["udot"]))
    twin_moved = other.one("body_accelerations", replace(twin, udot=expected["udot"]))
    centripetal = (np.abs(one.one("body_velocities", state)).max()) ** 2
    assert close(moved, twin_moved, centripetal, roundings=ROUNDINGS)
    loads = found["reactions"].reshape(-1, 6)
    twin_loads = expected["reactions"].reshape(-1, 6)
    assert close(loads[0], twin_loads[0], roundings=ROUNDINGS)
    R = evaluated(TWINS[index].joint).R(state.q[2:])
    wrench = _constraint_wrenches(other, twin, expected["multipliers"])
    total = twin_loads[1] + np.concatenate([R @ wrench[:3], R @ wrench[3:]])
    assert close(loads[1], total, roundings=ROUNDINGS)


@few
@given(seed=seeds)
def test_point_on_a_sphere_is_a_massless_rod(seed):
    """A free body with a point on a sphere, against a massless rod on a universal joint with a ball at its
    end.
    """
    body = random_body(np.random.default_rng(1), "body")
    end = Ball("end", "rod", "body", Placement((0.0, 0.0, 0.7)), Placement((0.1, 0.2, 0.3)))
    rod = Universal("rod", "ground", "rod"), end
    sample = joined([lambda rng: rng.uniform(-1, 1, 2), euler_parameters()])
    one = Numbers(Model("rod", (Body("rod"), body), rod), sample, loads=("body",))
    sphere = PointOnSurface("sphere", "body", "ground", (0.1, 0.2, 0.3), (0.7, 0.7, 0.7))
    other = Numbers(
        Model("sphere", (body,), (Free("free", "ground", "body"),), (sphere,)), sample, loads=("body",)
    )
    state = one.state(np.random.default_rng(seed))
    state = replace(state, tau=np.zeros(5))
    poses = one("body_poses", state)
    R, p = poses["rotations"][3:6], poses["positions"].reshape(-1, 3)[1]
    V = one.one("body_velocities", state).reshape(-1, 6)[1]
    twin = replace(
        state,
        q=np.concatenate([euler_parameters_from_rotation(R), p]),
        u=V,
        udot=np.zeros(6),
        tau=np.zeros(6),
    )
    udot = one.one("forward_dynamics", state)
    moved = one.one("body_accelerations", replace(state, udot=udot)).reshape(-1, 6)[1]
    condition = one.condition(state)
    assert close(other.one("forward_dynamics", twin), moved, condition, V @ V, roundings=ROUNDINGS)
