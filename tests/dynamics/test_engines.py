"""Pinocchio and MuJoCo on the sample humanoid (34 speeds): an engine that is not installed is skipped."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import condyle as cd
from condyle.bench.humanoid import humanoid

from .humanoid import condyle_model, mujoco_text, random_pose

BOUND = 1e-10
POSES = range(4)


def _agree(found, expected) -> bool:
    return bool(np.abs(found - expected).max() <= BOUND * np.abs(expected).max())


@pytest.fixture(scope="module")
def ours() -> cd.Mechanism:
    """The benchmark's humanoid, which a test below compares with Pinocchio's own."""
    return cd.compile(humanoid())


@pytest.fixture(scope="module")
def pinocchio():
    """Pinocchio's model and data."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install condyle[bench])")
    model = pin.buildSampleModelHumanoid()
    return SimpleNamespace(pin=pin, model=model, data=model.createData())


@pytest.fixture(scope="module")
def mujoco():
    """MuJoCo's model and data."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install condyle[bench])")
    model = mujoco.MjModel.from_xml_string(mujoco_text(humanoid()))
    return SimpleNamespace(mj=mujoco, model=model, data=mujoco.MjData(model))


@pytest.mark.parametrize("seed", POSES)
def test_pinocchio_finds_the_same_dynamics(pinocchio, ours, seed):
    """ABA, RNEA and CRBA."""
    pin, model, data = pinocchio.pin, pinocchio.model, pinocchio.data
    pose = random_pose(np.random.default_rng(seed), 34)
    q, v, a = pose.pinocchio()
    B = pose.to_pinocchio()
    udot = ours.forward_dynamics(pose.q, pose.u, pose.tau)
    expected = pin.aba(model, data, q, v, B @ pose.tau)
    assert _agree(B @ udot + pose.drift(), expected)
    assert _agree(ours.inverse_dynamics(pose.q, pose.u, pose.udot), B.T @ pin.rnea(model, data, q, v, a))
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    assert _agree(ours.mass_matrix(pose.q), B.T @ M @ B)


@pytest.mark.parametrize("seed", POSES)
def test_pinocchio_finds_the_same_momentum_and_energy(pinocchio, ours, seed):
    """Momentum about the mass centre, mass centre, kinetic and potential energy."""
    pin, model, data = pinocchio.pin, pinocchio.model, pinocchio.data
    pose = random_pose(np.random.default_rng(seed), 34)
    q, v, _ = pose.pinocchio()
    pin.ccrba(model, data, q, v)
    center = np.array(pin.centerOfMass(model, data, q))
    angular, linear = ours.momentum(pose.q, pose.u)
    assert _agree(linear, data.hg.linear)
    assert _agree(angular, data.hg.angular + np.cross(center, data.hg.linear))
    assert _agree(ours.center_of_mass(pose.q)["total"], center)
    assert _agree(ours.kinetic_energy(pose.q, pose.u), pin.computeKineticEnergy(model, data, q, v))
    assert _agree(ours.potential_energy(pose.q), pin.computePotentialEnergy(model, data, q))


@pytest.mark.parametrize("seed", POSES)
def test_pinocchio_finds_the_same_derivatives_of_inverse_dynamics(pinocchio, ours, derivatives, seed):
    """d tau / d(q, u, udot), ours along N delta; the free joint's change of axes is differentiated here by
    hand.
    """
    pin, model, data = pinocchio.pin, pinocchio.model, pinocchio.data
    pose = random_pose(np.random.default_rng(seed), 34)
    q, v, a = pose.pinocchio()
    B, R = pose.to_pinocchio(), pose.R
    tau = pin.rnea(model, data, q, v, a)
    by_q, by_v, by_a = pin.computeRNEADerivatives(model, data, q, v, a)
    by_a = np.triu(by_a) + np.triu(by_a, 1).T
    found = _derivatives(derivatives, pose)
    assert _agree(found["udot"], B.T @ by_a @ B)
    drift_by_u = np.zeros((34, 34))
    for k in range(6):
        plus, minus = (replace(pose, u=pose.u + s * np.eye(34)[k] / 2).drift() for s in (1, -1))
        drift_by_u[:, k] = plus - minus  # exact: the drift is quadratic in u
    assert _agree(found["u"], B.T @ (by_v @ B + by_a @ drift_by_u))
    N = np.array([ours.coordinate_rates(pose.q, np.eye(34)[k]) for k in range(34)]).T
    expected = B.T @ by_q @ B
    for k in range(3):  # a turn by delta w changes R' x by R' (x x delta w), and B' with it
        turn = np.zeros((34, 34))
        axis = np.eye(3)[k]
        cross = np.array([np.cross(column, axis) for column in np.eye(3)]).T
        turn[:6, :6] = np.block([[np.zeros((3, 3)), R.T @ cross], [R.T @ cross, np.zeros((3, 3))]])
        drift = np.zeros(34)
        drift[:3] = -R.T @ cross @ np.cross(pose.u[:3], pose.u[3:6])
        expected[:, k] += turn.T @ tau + B.T @ (by_v @ turn @ pose.u + by_a @ (turn @ pose.udot + drift))
    assert _agree(found["q"] @ N, expected)


@pytest.mark.parametrize("seed", POSES)
def test_mujoco_finds_the_same(mujoco, ours, seed):
    """Mass matrix, bias, forward dynamics, energies, mass centre and linear momentum."""
    mj, model, data = mujoco.mj, mujoco.model, mujoco.data
    pose = random_pose(np.random.default_rng(seed), 34)
    B = pose.to_mujoco()
    data.qpos[:], data.qvel[:] = pose.mujoco()
    data.qfrc_applied[:] = np.linalg.solve(B.T, pose.tau)
    mj.mj_forward(model, data)
    udot = ours.forward_dynamics(pose.q, pose.u, pose.tau)
    assert _agree(B @ udot, data.qacc)  # R'w turns with the body, but w x w = 0
    M = np.zeros((34, 34))
    mj.mj_fullM(model, data, M) if _new_signature(mj) else mj.mj_fullM(model, M, data.qM)
    assert _agree(ours.mass_matrix(pose.q), B.T @ M @ B)
    assert _agree(ours.bias(pose.q, pose.u), B.T @ data.qfrc_bias)
    assert _agree(ours.potential_energy(pose.q), data.energy[0])
    assert _agree(ours.kinetic_energy(pose.q, pose.u), data.energy[1])
    assert _agree(ours.center_of_mass(pose.q)["total"], data.subtree_com[0])
    mj.mj_subtreeVel(model, data)
    assert _agree(ours.momentum(pose.q, pose.u)[1], data.subtree_linvel[0] * model.body_mass.sum())


def _new_signature(mj) -> bool:
    return "mj_fullM(m: mujoco" in (mj.mj_fullM.__doc__ or "") and "d: mujoco" in mj.mj_fullM.__doc__


@pytest.fixture(scope="module")
def derivatives(ours):
    """Of inverse dynamics, interpreted: 60,000 instructions are not compiled for four states."""
    return ours.function("inverse_dynamics_derivatives")


def _derivatives(function, pose) -> dict[str, np.ndarray]:
    values = function(q=pose.q, u=pose.u, udot=pose.udot)
    return {
        name: np.array(values[key].full()) for name, key in (("q", "dq"), ("u", "du"), ("udot", "dthird"))
    }


def test_humanoid_is_pinocchios(pinocchio, ours):
    """The benchmark's copy of the model, against the one built from Pinocchio's joint by joint."""
    pose = random_pose(np.random.default_rng(9), 34)
    function = cd.compile(condyle_model(pinocchio.model)).function("forward_dynamics")
    udot = np.array(function(q=pose.q, u=pose.u, tau=pose.tau)["udot"].full())[:, 0]
    assert _agree(ours.forward_dynamics(pose.q, pose.u, pose.tau), udot)
