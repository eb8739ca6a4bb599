"""Arguments that do not fit: an error that names the argument, what was found and what is allowed."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd

from .models import arm, states

Q, U, TAU = states(np.random.default_rng(0))


@pytest.fixture(scope="module")
def mechanism() -> cd.Mechanism:
    return cd.compile(arm())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: m.forward_dynamics(Q[:5], U, TAU), ("forward_dynamics", "q", "(5,)", "(..., 6)")),
        (lambda m: m.forward_dynamics(Q, U[:4], TAU[:3]), ("u", "(4,)", "(..., 5)", "tau", "(3,)")),
        (lambda m: m.forward_dynamics(Q, U, 1.0), ("tau", "()", "(..., 5)")),
        (lambda m: m.forward_dynamics(Q, U, TAU * 1j), ("tau", "complex128", "real")),
        (lambda m: m.forward_dynamics(list("abcdef"), U, TAU), ("q", "<U1", "real")),
        (lambda m: m.forward_dynamics([Q, Q[:3]], U, TAU), ("q",)),
        (lambda m: m.forward_dynamics(None, U, TAU), ("q", "None")),
        (lambda m: m.forward_dynamics([Q, Q], [U, U, U], TAU), ("leading axes do not broadcast",)),
        (lambda m: m.forward_dynamics(Q, U, TAU, activations=[0.1]), ("activations", "no muscles")),
        (lambda m: m.mass_matrix(U), ("mass_matrix", "q", "(5,)", "(..., 6)")),
        (lambda m: m.jacobian(Q, "hnd"), ("unknown body 'hnd'", "did you mean 'hand'")),
        (lambda m: m.jacobian(Q, "hand", (1.0, 2.0)), ("point", "(2,)", "(..., 3)")),
        (lambda m: m.state_status(U), ("q", "(5,)", "(..., 6)", "shoulder.angle")),
        (lambda m: m.state_status(Q, Q), ("u", "(6,)", "(..., 5)")),
        (lambda m: m.bias(Q, U, wrenches={"han": np.zeros(6)}), ("wrench on unknown body 'han'", "'hand'")),
        (lambda m: m.bias(Q, U, wrenches={"hand": np.zeros(5)}), ("wrench on 'hand'", "(5,)", "(..., 6)")),
        (lambda m: m.bias(Q, U, wrenches={"hand": ["a"] * 6}), ("wrench on 'hand'", "<U1")),
        (
            lambda m: m.bias(Q, U, wrenches={"hand": np.zeros((2, 6)), "upper": np.zeros((3, 6))}),
            ("do not broadcast", "'hand' (2,)", "'upper' (3,)"),
        ),
        (lambda m: m.project(Q, U), ("'arm' has no constraints",)),
    ],
)
def test_error_names_argument_finding_and_what_is_allowed(mechanism, call, words):
    """One sentence with all of them."""
    with pytest.raises(cd.errors.InputError) as raised:
        call(mechanism)
    assert all(word in str(raised.value) for word in words), str(raised.value)


def test_numbers_that_are_none_pass_through(mechanism):
    """NaN in one state of a batch reaches that state's results and no other's."""
    q, u, tau = states(np.random.default_rng(1), 20)
    expected = mechanism.forward_dynamics(q, u, tau)
    q[7, 0] = np.nan
    found = mechanism.forward_dynamics(q, u, tau)
    assert np.isnan(found[7]).any()
    rest = np.arange(20) != 7
    assert np.array_equal(found[rest], expected[rest])


def test_whole_numbers_and_lists_are_numbers(mechanism):
    """Integers and booleans are taken as they are."""
    q = [1, 1, 0, 0, 0, 0]
    assert np.array_equal(
        mechanism.forward_dynamics(q, [0] * 5), mechanism.forward_dynamics(np.array(q, float), np.zeros(5))
    )


def test_wrenches_are_in_ground_axes_about_the_bodys_origin(mechanism):
    """The order of the mapping is immaterial; leading axes broadcast against the states'."""
    rng = np.random.default_rng(2)
    one, other = rng.uniform(-3, 3, 6), rng.uniform(-3, 3, (4, 6))
    found = mechanism.bias(Q, U, wrenches={"hand": one, "upper": other})
    assert found.shape == (4, 5)
    assert np.array_equal(found, mechanism.bias(Q, U, wrenches={"upper": other, "hand": one}))
    expected = mechanism.bias(Q, U) - mechanism.jacobian(Q, "hand").T @ one
    expected = expected - other @ mechanism.jacobian(Q, "upper")
    assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize(
    "name",
    [
        "forward_dynamics",
        "inverse_dynamics",
        "bias",
        "joint_reactions",
        "forward_dynamics_and_reactions",
        "forward_dynamics_derivatives",
    ],
)
def test_what_loads_enter_takes_time_and_activations(mechanism: cd.Mechanism, name: str) -> None:
    """Callers may pass them before a model has muscles; activations of none are refused."""
    arrays = (Q, U) if name == "bias" else (Q, U, TAU)
    call = getattr(mechanism, name)
    call(*arrays, time=0.5, activations=np.zeros(0))
    with pytest.raises(cd.InputError, match=r"activations: shape \(2,\); the model has no muscles"):
        call(*arrays, activations=np.zeros(2))
