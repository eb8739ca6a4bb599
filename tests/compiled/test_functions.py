"""casadi.Functions of every quantity: the seven inputs of the convention, and the kernel's values."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.compiled.constraint_quantities import CONSTRAINT_QUANTITIES
from condyle.compiled.graph import INPUTS
from condyle.compiled.quantities import QUANTITIES

from .models import arm, states, tied

NAMES = [*QUANTITIES, *CONSTRAINT_QUANTITIES, "jacobian:hand", "point_motion:lower"]
PARAMETERS = ("hand.mass", "elbow.parent_frame.translation[1]")
LOADED = ("upper", "hand")


@pytest.fixture(scope="module")
def mechanism() -> cd.Mechanism:
    return cd.compile(tied(), parameters=PARAMETERS)


@pytest.mark.parametrize("name", NAMES)
def test_function_has_the_seven_inputs_and_equals_the_kernel(mechanism, name):
    """q, u, tau or udot, time, parameters, wrenches, activations (then a point); same outputs by name."""
    rng = np.random.default_rng(3)
    function, kernel = mechanism.function(name, wrenches=LOADED), mechanism.kernel(name, wrenches=LOADED)
    expected = [*INPUTS[:2], "udot" if "udot" in dict(kernel.inputs) else "tau", *INPUTS[3:]]
    assert function.name_in() == expected + (["point"] if "point" in dict(kernel.inputs) else [])
    assert function.size_in("activations") == (0, 1) and function.size_in("time") == (1, 1)
    assert function.name_out() == [output for output, _ in kernel.outputs]
    q, u, tau = states(rng)
    given = {"q": q, "u": u, "tau": tau, "udot": tau, "point": np.array([0.1, 0.2, 0.3])}
    given |= {"parameters": np.array([1.3, -0.25]), "wrenches": rng.uniform(-5, 5, 12)}
    values = function(**{key: value for key, value in given.items() if key in function.name_in()})
    found = kernel(*[given[port] for port, _ in kernel.inputs])
    found = found if isinstance(found, tuple) else (found,)
    for (output, _), array in zip(kernel.outputs, found, strict=True):
        value = np.array(values[output].full())
        assert np.abs(array.reshape(value.shape) - value).max() <= 1e-12 * np.abs(value).max()


def test_without_options_sizes_are_zero():
    """No parameters, no wrenches: the inputs are there and empty."""
    function = cd.compile(arm()).function("forward_dynamics")
    assert function.name_in() == list(INPUTS)
    assert function.size_in("parameters") == function.size_in("wrenches") == (0, 1)


def test_unknown_quantity_has_a_suggestion():
    """Of functions and kernels; constraint quantities exist where there are constraints."""
    mechanism = cd.compile(arm())
    with pytest.raises(cd.errors.InputError, match="did you mean 'mass_matrix'"):
        mechanism.function("mas_matrix")
    with pytest.raises(cd.errors.InputError, match="no quantity 'constraint_equations'"):
        mechanism.kernel("constraint_equations")


def test_what_is_not_promoted_costs_nothing():
    """Instruction counts with no parameter, with one outside the equations, and with a mass."""

    def count(model: cd.Model, *parameters: str) -> int:
        return cd.compile(model, parameters=parameters).function("forward_dynamics").n_instructions()

    plain = count(arm())
    assert plain == cd.compile(arm()).function("forward_dynamics").n_instructions()
    assert count(arm(), "tip.position[0]") == plain  # of a marker
    assert count(arm(), "hand.mass") > plain
    assert cd.compile(arm()).kernel("forward_dynamics").operations <= plain
