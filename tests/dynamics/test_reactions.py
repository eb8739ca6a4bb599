"""Joint reaction loads: what they do along a joint's freedoms, and the balance of every body in ground."""

from __future__ import annotations

from dataclasses import replace

import casadi as ca
import numpy as np
from hypothesis import given

from condyle import Placement
from condyle.joints.derived import hinge

from .mechanisms import close, draw, few, over_all, seeds


def _matrix(placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    X = placement.transform()
    return np.array(ca.DM(X.R).full()), np.array(ca.DM(X.p).full())[:, 0]


@over_all
@few
@given(seed=seeds)
def test_reactions_do_the_work_of_tau(choice, seed):
    """H' (moment, force) = tau at every joint, the wrench being about B's origin in P axes."""
    numbers, state = draw(choice, seed)
    reactions = numbers.one("joint_reactions", state).reshape(-1, 6)
    tau = numbers.one("inverse_dynamics", state)
    for link, wrench in zip(numbers.mechanism.tree.links, reactions, strict=True):
        q = ca.SX.sym("q", link.q.stop - link.q.start)
        H = np.array(ca.Function("H", [q], [ca.densify(hinge(link.joint, q))])(state.q[link.q]).full())
        assert close(H.T @ wrench, tau[link.u], np.abs(H.T) @ np.abs(wrench))


@over_all
@few
@given(seed=seeds)
def test_every_body_is_in_balance(choice, seed):
    """Newton and Euler in ground: m a_c = sum of forces, d/dt (I w) = sum of moments about it."""
    numbers, state = draw(choice, seed)
    tree, names = numbers.mechanism.tree, [body.name for body in numbers.model.bodies]
    count = len(names)
    reactions = numbers.one("joint_reactions", state).reshape(count, 6)
    poses = numbers("body_poses", state)
    rotations, places = poses["rotations"].reshape(count, 3, 3), poses["positions"].reshape(count, 3)
    velocities = numbers.one("body_velocities", state).reshape(count, 6)
    accelerations = numbers.one("body_accelerations", state).reshape(count, 6)
    g = np.array(numbers.model.gravity)
    forces, moments = (
        np.zeros((count, 3)),
        np.zeros((count, 3)),
    )  # of everything but gravity, about body origins
    sizes = np.zeros(count)
    for k, body in enumerate(numbers.loads):
        moments[names.index(body)] += state.wrenches[6 * k : 6 * k + 3]
        forces[names.index(body)] += state.wrenches[6 * k + 3 : 6 * k + 6]
        sizes[names.index(body)] += np.abs(state.wrenches).max()
    for link, wrench in zip(tree.links, reactions, strict=True):
        child = names.index(link.body.name)
        parent = tree.links[link.parent].body.name if link.parent >= 0 else None
        R_parent = rotations[names.index(parent)] if parent else np.eye(3)
        R_P = R_parent @ _matrix(link.joint.parent_frame)[0]
        moment, force = R_P @ wrench[:3], R_P @ wrench[3:]
        B = places[child] + rotations[child] @ _matrix(link.joint.child_frame)[1]
        for index, sign in [(child, 1.0)] + ([(names.index(parent), -1.0)] if parent else []):
            arm = B - places[index]
            forces[index] += sign * force
            moments[index] += sign * (moment + np.cross(arm, force))
            sizes[index] += np.abs(wrench).max() * (1 + np.abs(arm).max())
    for i, body in enumerate(link.body for link in tree.links):
        R, c = rotations[i], rotations[i] @ np.array(body.center_of_mass)
        w, alpha, a = velocities[i, :3], accelerations[i, :3], accelerations[i, 3:]
        central = a + np.cross(alpha, c) + np.cross(w, np.cross(w, c))
        xx, yy, zz, xy, xz, yz = body.inertia
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        size = sizes[i] + body.mass * (np.abs(a).max() + np.abs(alpha).max() + (w @ w) + np.abs(g).max())
        assert close(forces[i], body.mass * (central - g), size)
        spin = inertia @ alpha + np.cross(w, inertia @ w)
        assert close(moments[i] - np.cross(c, forces[i]), spin, size)


@over_all
@few
@given(seed=seeds)
def test_articulated_pass_and_newton_euler_find_the_same_reactions(choice, seed):
    """forward_dynamics_and_reactions against joint_reactions at its own udot."""
    numbers, state = draw(choice, seed)
    found = numbers("forward_dynamics_and_reactions", state)
    assert np.array_equal(found["udot"], numbers.one("forward_dynamics", state))
    at_udot = replace(state, udot=found["udot"])
    expected = numbers.one("joint_reactions", at_udot)
    M, bias = numbers.mass_matrix(state), numbers.one("bias", state)
    inertial = np.abs(M).max(initial=0) * np.abs(found["udot"]).max(initial=0) + np.abs(bias).max(initial=0)
    spatial = np.abs(numbers.one("body_accelerations", at_udot)).max()
    assert close(found["reactions"], expected, inertial, spatial)
