"""Trees with rates of Euler parameters as speeds: as minimal coordinates, whichever one is dependent."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import casadi as ca
import numpy as np
import pytest

from condyle import InputError, Mechanism, Model
from condyle.constraints import Distance
from condyle.joints import Ball, Free
from condyle.joints.derived import derived_bias, derived_hinge
from condyle.mechanism.parameter_rates import ParameterRates
from condyle.spatial.euler.normality import dependent_parameter

from ...joints.cases import EVERY
from ..mechanisms import CHAINS, FLOATING, TREES, Choice, State, random_body, random_placement

AGREE = 1e-11
CHOICES = [c for c in CHAINS + TREES + FLOATING if c.numbers.mechanism.unit_groups]
WITH_PARAMETERS = [case for case in EVERY if case.joint.unit_groups]


class Kane:
    """A mechanism of the list with Euler parameters' rates, evaluated by CasADi on minimal states."""

    def __init__(self, choice: Choice) -> None:
        numbers = choice.numbers
        self.mechanism = Mechanism(numbers.model, (), "kane")
        g, minimal = self.mechanism.graph(numbers.loads), numbers.graph
        found = g.forward
        outputs = {
            "udot": found.udot,
            "accelerations": ca.horzcat(*g.kinematics.spatial_accelerations(found.udot)).T,
            "tau": g.tau_of(found.udot),
            "wrenches": ca.horzcat(*[ca.vertcat(*pair) for pair in found.wrenches]),
            "mass_matrix": g.mass_matrix,
        }
        self.names = list(outputs)
        inputs = [g.q, g.u, g.tau, g.wrenches]
        self.function = ca.Function("kane", inputs, [ca.densify(value) for value in outputs.values()])
        pairs = zip(self.mechanism.tree.links, numbers.mechanism.tree.links, strict=True)
        parts = [minimal.qdot[k.q] if k.joint.unit_groups else minimal.u[own.u] for k, own in pairs]
        self.rates = ca.Function("rates", [minimal.q, minimal.u], [ca.densify(ca.vertcat(*parts))])

    def __call__(self, state: State, tau: np.ndarray) -> dict[str, np.ndarray]:
        values = self.function(state.q, self.rates(state.q, state.u), tau, state.wrenches)
        return {name: np.array(value.full()) for name, value in zip(self.names, values, strict=True)}

    def groups(self, q: np.ndarray) -> np.ndarray:
        return np.stack([q[k : k + 4] for k in self.mechanism.unit_groups])

    @property
    def starts(self) -> list[int]:
        """Where groups of rates start in u."""
        return [link.u.start + k for link in self.mechanism.tree.links for k in link.joint.unit_groups]

    def speeds(self, u: np.ndarray) -> np.ndarray:
        return np.stack([u[k : k + 4] for k in self.starts])


@cache
def kane(choice: Choice) -> Kane:
    return Kane(choice)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_bodies_accelerate_as_in_minimal_coordinates(choice):
    """And the equations of motion hold: inverse dynamics of udot is the given force, but along e."""
    numbers, found = choice.numbers, kane(choice)
    rng = np.random.default_rng(choice.index)
    for _ in range(3):
        state = replace(numbers.state(rng), tau=np.zeros(numbers.nu))
        udot = numbers.one("forward_dynamics", state)
        expected = numbers.one("body_accelerations", replace(state, udot=udot))
        tau = np.zeros(len(found.mechanism.speeds))
        values = found(state, tau)
        size = np.abs(expected).max()
        assert np.abs(values["accelerations"] - expected.reshape(-1, 6)).max() <= AGREE * size
        wrenches = np.array([np.concatenate(pair) for pair in reactions(choice, state)]).T
        assert np.abs(values["wrenches"] - wrenches).max() <= AGREE * np.abs(wrenches).max()
        free = np.setdiff1d(np.arange(len(tau)), found.mechanism.tree.locked_speeds)
        assert np.abs(values["tau"][free]).max() <= AGREE * np.abs(wrenches).max()
        e, edot = found.groups(state.q), found.speeds(found.rates(state.q, state.u).full()[:, 0])
        eddot = found.speeds(values["udot"][:, 0])
        assert np.abs((e * eddot).sum(1) + (edot**2).sum(1)).max() < 1e-12 * (1 + np.abs(eddot).max())


def reactions(choice: Choice, state: State):
    """Wrenches that the minimal recursion transmits, per link."""
    g = choice.numbers.graph
    flat = ca.horzcat(*[ca.vertcat(*pair) for pair in g.forward.wrenches])
    f = ca.Function("w", [g.q, g.u, g.tau, g.wrenches], [ca.densify(flat)])
    found = f(state.q, state.u, state.tau, state.wrenches).full()
    return [(column[:3], column[3:]) for column in found.T]


@pytest.mark.parametrize("dependent", range(4))
def test_every_dependent_parameter(dependent):
    """States in which this parameter is the largest of every joint."""
    choice = next(c for c in FLOATING if len(kane(c).mechanism.unit_groups) > 1)
    numbers, found, rng = choice.numbers, kane(choice), np.random.default_rng(dependent)
    for _ in range(10):
        state = replace(numbers.state(rng), tau=np.zeros(numbers.nu))
        for k in found.mechanism.unit_groups:
            e = state.q[k : k + 4]
            largest = int(dependent_parameter(e))
            e[[dependent, largest]] = e[[largest, dependent]]
        assert (dependent_parameter(found.groups(state.q)) == dependent).all()
        udot = numbers.one("forward_dynamics", state)
        expected = numbers.one("body_accelerations", replace(state, udot=udot)).reshape(-1, 6)
        values = found(state, np.zeros(len(found.mechanism.speeds)))
        assert np.abs(values["accelerations"] - expected).max() <= AGREE * np.abs(expected).max()


def test_forces_along_parameters_do_nothing():
    """tau is conjugate to edot: what it has along e does no work and accelerates nothing."""
    choice = FLOATING[1]
    found, rng = kane(choice), np.random.default_rng(5)
    state = choice.numbers.state(rng)
    tau = rng.normal(size=len(found.mechanism.speeds))
    before = found(state, tau)["udot"]
    for k, e in zip(found.starts, found.groups(state.q), strict=True):
        tau[k : k + 4] += 7.0 * e
    assert np.abs(found(state, tau)["udot"] - before).max() < 1e-10 * np.abs(before).max()


def test_mass_matrix_is_singular_along_parameters():
    """As the appendix says of B.58, 63, 67: one direction per joint with Euler parameters, no other."""
    choice = FLOATING[1]
    found, state = kane(choice), choice.numbers.state(np.random.default_rng(6))
    M = found(state, np.zeros(len(found.mechanism.speeds)))["mass_matrix"]
    along = np.zeros((len(M), len(found.mechanism.unit_groups)))
    for column, (k, e) in enumerate(zip(found.starts, found.groups(state.q), strict=True)):
        along[k : k + 4, column] = e
    assert np.abs(M @ along).max() < 1e-13 * np.abs(M).max()
    assert np.linalg.matrix_rank(M, tol=1e-10 * np.abs(M).max()) == len(M) - along.shape[1]


@pytest.mark.parametrize("case", WITH_PARAMETERS, ids=str)
def test_hinge_and_bias_are_derived(case):
    """The wrapper's closed forms are the pose differentiated, for |e| = 1 and e.edot = 0."""
    joint = ParameterRates(case.joint)
    q = ca.SX.sym("q", len(joint.coordinate_names))
    u = ca.SX.sym("u", len(joint.speed_names))
    H, derived = joint.hinge(q), derived_hinge(joint, q)
    values = [H, derived, joint.bias(q, u), derived_bias(joint, q, u, derived)]
    f = ca.Function("f", [q, u], [ca.densify(value) for value in values])
    rng = np.random.default_rng(1)
    pose, rates = case.sample(rng), rng.normal(size=u.numel())
    for k in joint.unit_groups:
        e = pose[k : k + 4]
        rates[k : k + 4] -= e * (e @ rates[k : k + 4])
    H, derived, bias, derived_b = (value.full() for value in f(pose, rates))
    for k in joint.unit_groups:  # the derived one knows what growing parameters do: nothing, by division
        H[:, k : k + 4] -= np.outer(H[:, k : k + 4] @ pose[k : k + 4], pose[k : k + 4])
    assert np.allclose(H, derived, atol=1e-13)
    assert np.allclose(bias, derived_b, atol=1e-13)


def test_a_change_of_choice_leaves_no_trace_within_a_step():
    """An integrator's stages are a little off e.edot = 0: the equations stay continuous there, too."""
    choice = next(c for c in FLOATING if len(kane(c).mechanism.unit_groups) > 1)
    found, state = kane(choice), choice.numbers.state(np.random.default_rng(8))
    start = found.mechanism.unit_groups[0]
    sides, u = [], found.rates(state.q, state.u).full()[:, 0]
    u[found.starts[0] : found.starts[0] + 4] += 0.1
    for more in (1e-12, -1e-12):
        q = state.q.copy()
        q[start : start + 4] = np.array([0.6 + more, -0.6 + more, 0.5, 0.1]) / np.sqrt(0.98)
        values = found.function(q, u, np.zeros(len(u)), state.wrenches)
        sides.append((dependent_parameter(q[start : start + 4]), values[0].full()))
    (first, before), (second, after) = sides
    assert (first, second) == (0, 1)
    assert np.abs(after - before).max() < 1e-9 * np.abs(before).max()


def spherical_chain(links: int = 3) -> Model:
    rng = np.random.default_rng(3)
    names = [f"link{k}" for k in range(links)]
    joints = [Free("base", "ground", names[0])]
    joints += [
        Ball(f"ball{k}", names[k - 1], names[k], random_placement(rng), random_placement(rng))
        for k in range(1, links)
    ]
    return Model("chain", tuple(random_body(rng, name) for name in names), tuple(joints))


def test_operations_grow_with_the_number_of_bodies():
    """The same number for every body that is added, and half as many again as angular velocities take."""
    counts = {
        formulation: [
            Mechanism(spherical_chain(links), (), formulation).function("forward_dynamics").n_instructions()
            for links in (4, 8, 16)
        ]
        for formulation in ("minimal", "kane")
    }
    few, more, most = counts["kane"]
    assert (most - more) / 8 == pytest.approx((more - few) / 4, rel=2e-3)
    assert most < 1.5 * counts["minimal"][2]


def test_constraints_are_refused():
    model = spherical_chain()
    tied = replace(model, constraints=(Distance("rope", "link0", "link2", length=0.3),))
    with pytest.raises(InputError, match=r"is for trees.*constraint 'rope'.*allowed.*absolute"):
        Mechanism(tied, (), "kane")
