"""Agreement, targets, exponents, and the peers' adapters."""

from importlib.util import find_spec

import casadi as ca
import numpy as np
import pytest

from condyle.bench.agreement import agreement
from condyle.bench.cases.chain_scaling import exponent
from condyle.bench.evaluation import chained
from condyle.bench.humanoid import humanoid
from condyle.bench.kernels import ALGORITHMS, mechanism, tangents
from condyle.bench.peers.pinocchio import rotations
from condyle.bench.row import Disagreement, Row
from condyle.bench.states import random_states
from condyle.kernels import build


def test_agreement_is_relative_to_the_largest_entry():
    """Equal up to 1e-9 of the largest passes; above it, NaN and other shapes are errors."""
    theirs = np.array([1e-6, 100.0])
    assert agreement("x", theirs + np.array([5e-8, 0.0]), theirs) == pytest.approx(5e-10, rel=1e-6)
    for wrong in (theirs + np.array([2e-7, 0.0]), theirs * np.nan, np.ones(3)):
        with pytest.raises(Disagreement, match=r"^x: "):
            agreement("x", wrong, theirs)


def test_row_judges_its_target():
    """A ratio must reach its bound, a figure must not pass it; without the peer nothing is judged."""
    row = Row("c", "us", condyle=2.0)
    row.at_least(3.0, "peer")
    assert row.holds is None
    assert row.compare("peer", 6.0) == 3.0
    row.at_least(3.0, "peer")
    assert row.holds is True
    row.at_least(3.1, "peer")
    assert row.holds is False
    row.at_most(2.0, 1.9)
    assert row.holds is False
    assert row.target == "<= 1.9 us"


def test_exponent_of_a_power_law():
    """Slope of the logarithms."""
    assert exponent((1, 10, 100), (3.0, 60.0, 1200.0)) == pytest.approx(np.log10(20))


def test_humanoid_has_the_documented_size():
    """29 bodies, 35 coordinates, 34 speeds."""
    mech = mechanism()
    assert (len(mech.bodies), len(mech.coordinates), len(mech.speeds)) == (29, 35, 34)
    assert sum(body.mass for body in humanoid().bodies) == pytest.approx(15.5)


@pytest.mark.parametrize(("algorithm", "most"), list(zip(ALGORITHMS, (6100, 2400, 3500, 27500), strict=True)))
def test_operation_counts(algorithm, most):
    """What was reached is kept: instructions of the graph."""
    assert algorithm.kernel().operations <= most


def test_tangents_are_coordinate_rates():
    """Turning and moving the free body in P axes changes q as N u does."""
    states = random_states(mechanism(), 4)
    expected = mechanism().coordinate_rates(states.q, states.u)
    np.testing.assert_allclose(np.einsum("rij,rj->ri", tangents(states.q), states.u), expected, atol=1e-15)
    poses = mechanism().body_poses(states.q)
    np.testing.assert_allclose(rotations(states.q[:, :4]), poses["root"][0], atol=1e-15)


@pytest.mark.skipif(find_spec("pinocchio") is None, reason="Pinocchio is not installed")
def test_pinocchio_has_the_same_model():
    """Names in the same order, and every algorithm equal to round-off."""
    from condyle.bench.peers.pinocchio import Pinocchio

    peer = Pinocchio()
    assert list(peer.model.names)[1:] == list(mechanism().joints)
    states = random_states(mechanism(), 8, seed=3)
    for algorithm in ALGORITHMS:
        assert algorithm.checked(states, peer) < 2e-14


@pytest.mark.skipif(find_spec("mujoco") is None, reason="MuJoCo is not installed")
def test_mujoco_has_the_same_model():
    """Masses, joints in the same order, accelerations to round-off; one step follows the state's rate."""
    from condyle.bench.cases.rk4 import STEP
    from condyle.bench.peers.mujoco import MuJoCo

    peer = MuJoCo()
    np.testing.assert_allclose(peer.model.body_mass[1:], [body.mass for body in humanoid().bodies])
    states = random_states(mechanism(), 1, seed=4)
    q, u = states.q[0], states.u[0]
    ours = mechanism().forward_dynamics(q, u)
    assert agreement("udot", ours, peer.accelerations(q, u)) < 1e-12
    after = peer.after(q, u, STEP, 1)
    np.testing.assert_allclose(after[:35], q + STEP * mechanism().coordinate_rates(q, u), atol=100 * STEP**2)


def test_a_chain_waits_for_every_element_of_the_result():
    """Inputs take turns with the elements of the first result: one of 1e40 shows as a change by 1."""
    x = ca.SX.sym("x", 3)
    function = ca.Function("two", [x], [ca.vertcat(x[0] * 0, 1e40 + x[1] * 0), x])
    kernel = build(lambda: function, None, "two")
    seen = []
    for count in (1, 2, 3):
        run = chained(kernel, [np.zeros((4, 3))], count)
        _, (_, inputs) = run()
        seen.append(inputs.tolist())
    assert seen == [[0, 0, 0], [1, 0, 1], [0, 1, 0]]
