"""Random mechanisms of all joints, and their quantities through CasADi's interpreter: no time goes to
compiling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

import casadi as ca
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from condyle import Body, Mechanism, Model, Placement
from condyle.compiled.quantities import quantity
from condyle.joints import Free, Joint, Reversed, Universal

from ..joints.cases import EVERY, Case, Sampler

EPS = float(np.finfo(float).eps)
# Bounds below are this many round-offs, times the largest term that enters a sum, times the condition number
# where a system is solved. The longest mechanisms sum some thousands of terms.
ROUNDINGS = 100
WORST_CONDITION = 1e5


@dataclass(frozen=True)
class State:
    """Everything a quantity may be asked at."""

    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray
    tau: np.ndarray
    parameters: np.ndarray = field(default_factory=lambda: np.zeros(0))
    wrenches: np.ndarray = field(default_factory=lambda: np.zeros(0))
    point: np.ndarray = field(default_factory=lambda: np.zeros(3))


class Numbers:
    """Quantities of a mechanism as NumPy arrays; all of them share one graph, traced once."""

    def __init__(
        self, model: Model, sample: Sampler, parameters: Sequence[str] = (), loads: Sequence[str] = ()
    ):
        self.model, self.sample, self.loads = model, sample, tuple(loads)
        self.mechanism = Mechanism(model, tuple(parameters))
        self.graph = self.mechanism.graph(self.loads)
        self.nq, self.nu = len(self.mechanism.coordinates), len(self.mechanism.speeds)
        g = self.graph
        self.symbols = [g.q, g.u, g.udot, g.tau, g.p, g.wrenches, g.point]
        self._functions: dict[tuple[str, bool], tuple[list[str], ca.Function]] = {}
        self._outputs: dict[str, dict[str, ca.SX]] = {}

    def outputs(self, name: str) -> dict[str, ca.SX]:
        """Expressions of a quantity."""
        if name not in self._outputs:
            self._outputs[name] = quantity(name, bool(self.model.constraints)).build(self.graph)
        return self._outputs[name]

    def function(self, names: Sequence[str], expressions: Sequence[ca.SX]) -> tuple[list[str], ca.Function]:
        return list(names), ca.Function("f", self.symbols, [ca.densify(e) for e in expressions])

    def __call__(self, name: str, state: State) -> dict[str, np.ndarray]:
        """All outputs of a quantity; columns as vectors."""
        if (name, False) not in self._functions:
            found = self.outputs(name)
            self._functions[name, False] = self.function(list(found), list(found.values()))
        return self._evaluate(self._functions[name, False], state)

    def rate(self, name: str, state: State) -> dict[str, np.ndarray]:
        """Exact time derivative of a quantity along qdot = N u and the state's udot, udot and loads held."""
        if (name, True) not in self._functions:
            found, g = self.outputs(name), self.graph
            y, ydot = ca.vertcat(g.q, g.u), ca.vertcat(g.linkage.qdot(), g.udot)
            rates = [ca.reshape(ca.jtimes(ca.densify(ca.vec(e)), y, ydot), *e.shape) for e in found.values()]
            self._functions[name, True] = self.function(list(found), rates)
        return self._evaluate(self._functions[name, True], state)

    def one(self, name: str, state: State) -> np.ndarray:
        """The first output."""
        return next(iter(self(name, state).values()))

    def _evaluate(self, pair: tuple[list[str], ca.Function], s: State) -> dict[str, np.ndarray]:
        names, function = pair
        values = function.call(
            [ca.DM(v) for v in (s.q, s.u, s.udot, s.tau, s.parameters, s.wrenches, s.point)]
        )
        arrays = [np.array(value.full()) for value in values]
        return {n: a[:, 0] if a.shape[1] == 1 else a for n, a in zip(names, arrays, strict=True)}

    def state(self, rng: np.random.Generator) -> State:
        """A random state whose mass matrix, scaled to unit diagonal, has a condition number below the worst
        allowed.
        """
        free = [k for k in range(self.nu) if k not in self.mechanism.tree.locked_speeds]
        defaults = self.mechanism.parameter_defaults
        for _ in range(50):
            u, udot = np.zeros(self.nu), np.zeros(self.nu)
            u[free], udot[free] = rng.uniform(-2, 2, len(free)), rng.uniform(-5, 5, len(free))
            state = State(
                self.sample(rng), u, udot, rng.uniform(-5, 5, self.nu), defaults,
                rng.uniform(-5, 5, 6 * len(self.loads)), rng.uniform(-0.5, 0.5, 3),
            )  # fmt: skip
            if self.condition(state) < WORST_CONDITION:
                return state
        raise AssertionError("no regular state among 50 draws")

    def condition(self, state: State) -> float:
        """Condition number of the mass matrix of the free speeds, scaled to unit diagonal."""
        free = [k for k in range(self.nu) if k not in self.mechanism.tree.locked_speeds]
        if not free:
            return 1.0
        M = self.mass_matrix(state)[np.ix_(free, free)]
        scale = np.sqrt(np.diag(M))
        return float(np.linalg.cond(M / np.outer(scale, scale)))

    def mass_matrix(self, state: State) -> np.ndarray:
        return self.one("mass_matrix", state).reshape(self.nu, self.nu)


def close(
    actual: np.ndarray, expected: np.ndarray, *terms: np.ndarray | float, roundings: float = ROUNDINGS
) -> bool:
    """Whether two arrays differ by few round-offs of the largest entry of themselves and of `terms`."""
    sizes = [np.max(np.abs(a), initial=0.0) for a in (actual, expected, *map(np.asarray, terms))]
    largest = max(float(size) for size in sizes)
    return bool(np.max(np.abs(np.asarray(actual) - expected), initial=0.0) <= roundings * EPS * largest)


def random_placement(rng: np.random.Generator) -> Placement:
    return Placement(tuple(rng.uniform(-0.4, 0.4, 3).tolist()), tuple(rng.uniform(-3, 3, 3).tolist()))


def random_body(rng: np.random.Generator, name: str) -> Body:
    """Mass and inertia of eight random particles, so that a rigid body can have them."""
    masses, places = rng.uniform(0.1, 0.5, 8), rng.uniform(-0.3, 0.3, (8, 3))
    center = masses @ places / masses.sum()
    arms = places - center
    J = np.einsum("k,ki,kj->ij", masses, arms, arms)
    inertia = np.trace(J) * np.eye(3) - J
    entries = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return Body(name, float(masses.sum()), tuple(center.tolist()), tuple(float(value) for value in entries))


def placed(
    joint: Joint,
    name: str,
    parent: str,
    child: str,
    at: Placement,
    on: Placement,
    locked: Mapping[str, float] = MappingProxyType({}),
) -> Joint:
    """The joint with another name and place in the tree, `at` on the parent, `on` the child; some values
    locked.
    """
    if isinstance(joint, Reversed):
        return Reversed(placed(joint.joint, name, child, parent, on, at, locked))
    joint = replace(joint, name=name, parent=parent, child=child, parent_frame=at, child_frame=on)
    if not locked:
        return joint
    given = [
        replace(joint.coordinate(k), default=locked[name], locked=True)
        if name in locked
        else joint.coordinate(k)
        for k, name in enumerate(joint.coordinate_names)
    ]
    return replace(joint, coordinates=tuple(given))


def chain(case: Case, seed: int = 0, gravity=(0.3, -9.80665, 0.7)) -> tuple[Model, Sampler]:
    """Ground, a universal joint, a base, the case's joint, a tip."""
    rng = np.random.default_rng([seed, 1])
    bodies = (random_body(rng, "base"), random_body(rng, "tip"))
    joints = (
        Universal("root", "ground", "base", parent_frame=random_placement(rng)),
        placed(case.joint, "tested", "base", "tip", random_placement(rng), random_placement(rng)),
    )
    return Model(str(case), bodies, joints, gravity=gravity), joined(
        [lambda r: r.uniform(-3, 3, 2), sampler(case)]
    )


def sampler(case: Case) -> Sampler:
    """The case's sampler; where it draws one number for several coordinates, each gets its own."""
    count = len(case.joint.coordinate_names)

    def sample(rng: np.random.Generator) -> np.ndarray:
        q = np.atleast_1d(case.sample(rng))
        while q.size < count:
            q = np.append(q, case.sample(rng))
        return q

    return sample


def joined(samplers: Sequence[Sampler]) -> Sampler:
    """Coordinates of several joints one after another."""
    return lambda rng: np.concatenate([np.atleast_1d(sample(rng)) for sample in samplers])


@dataclass(frozen=True)
class Extras:
    """What a random tree may contain beside joints and bodies with mass."""

    floating: bool = False
    massless: bool = True
    locks: bool = True


def random_tree(seed: int, extras: Extras = Extras()) -> tuple[Model, Sampler]:
    """1 to 8 links of any joints; some links are massless but carry a body that resists, some coordinates are
    locked.
    """
    rng = np.random.default_rng([seed, 2])
    count = int(rng.integers(1, 9))
    bodies, joints, samplers = [], [], []
    bare = None  # a massless body that waits for a child
    for k in range(count):
        places = [body.name for body in bodies]
        places = places if extras.floating and k else ["ground", *places]
        parent = bare or str(rng.choice(places))
        case = EVERY[int(rng.integers(len(EVERY)))]
        if extras.floating and k == 0:
            case = Case(Free("float", "p", "b"), _free_pose)
        small = len(case.joint.speed_names) <= 2
        if bare is not None and not small:
            case, small = EVERY[int(rng.integers(3))], True
        massless = extras.massless and bare is None and small and k < count - 1 and rng.random() < 0.4
        name = f"body{k}"
        bodies.append(Body(name) if massless else random_body(rng, name))
        bare = name if massless else None
        locked = _lock(case, rng) if extras.locks and rng.random() < 0.3 else {}
        placements = random_placement(rng), random_placement(rng)
        joints.append(placed(case.joint, f"joint{k}", parent, name, *placements, locked))
        samplers.append(_held(sampler(case), case.joint.coordinate_names, locked))
    gravity = (0.0, 0.0, 0.0) if extras.floating else (0.3, -9.80665, 0.7)
    return Model(f"tree {seed}", tuple(bodies), tuple(joints), gravity=gravity), joined(samplers)


def _free_pose(rng: np.random.Generator) -> np.ndarray:
    e = rng.normal(size=4)
    return np.concatenate([e / np.linalg.norm(e), rng.uniform(-1, 1, 3)])


def _lock(case: Case, rng: np.random.Generator) -> dict[str, float]:
    """A coordinate to lock at a regular value, where speeds are coordinate rates."""
    joint = case.joint
    names = joint.coordinate_names
    if not names or joint.speed_names != names or joint.unit_groups:
        return {}
    index = int(rng.integers(len(names)))
    return {names[index]: float(sampler(case)(rng)[index])}


def _held(sample: Sampler, names: Sequence[str], locked: Mapping[str, float]) -> Sampler:
    """The sampler with locked coordinates at their values."""

    def held(rng: np.random.Generator) -> np.ndarray:
        q = sample(rng)
        for name, value in locked.items():
            q[names.index(name)] = value
        return q

    return held


@dataclass(frozen=True)
class Choice:
    """One mechanism of the lists below."""

    kind: str
    index: int

    def __str__(self) -> str:
        return str(EVERY[self.index]) if self.kind == "chain" else f"{self.kind}-{self.index}"

    @property
    def numbers(self) -> Numbers:
        return _numbers(self)


@cache
def _numbers(choice: Choice) -> Numbers:
    """Its quantities, with external wrenches on the first and the last body."""
    if choice.kind == "chain":
        model, sample = chain(EVERY[choice.index])
    else:
        model, sample = random_tree(choice.index, Extras(floating=choice.kind == "floating"))
    loads = dict.fromkeys((model.bodies[0].name, model.bodies[-1].name))
    return Numbers(model, sample, loads=tuple(loads))


CHAINS = [Choice("chain", index) for index in range(len(EVERY))]
TREES = [Choice("tree", seed) for seed in range(24)]
FLOATING = [Choice("floating", seed) for seed in range(8)]
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=4, deadline=None)
over_all = pytest.mark.parametrize("choice", CHAINS + TREES, ids=str)


def draw(choice: Choice, seed: int) -> tuple[Numbers, State]:
    """A mechanism and a random regular state of it."""
    numbers = choice.numbers
    return numbers, numbers.state(np.random.default_rng(seed))
