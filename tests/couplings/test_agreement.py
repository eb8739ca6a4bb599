"""One law for all kinds of couplings: value, gradient and Hessian of every joint variable agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import casadi as ca
import numpy as np
import pytest

from condyle import Mechanism
from condyle.couplings import Coupling, Explicit, FiniteDifference, Implicit, Projection, sample
from condyle.couplings.equations import Equations
from condyle.functions import Expression, Function
from condyle.studies.loop_equations import (
    FIVE_BAR_ANGLES,
    FOUR_BAR_ANGLES,
    coupled_five_bar,
    five_bar_equations,
    four_bar_equations,
)

from .numbers import Numbers, State

Derivatives = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Case:
    """A system of equations, where to look, and Phi itself where it is known."""

    dependent: tuple[str, ...]
    independent: tuple[str, ...]
    equations: tuple[Function, ...]
    near: tuple[float, ...]
    box: tuple[tuple[float, float], ...]
    known: tuple[Function, ...] = ()

    def made(self, kind: type[Equations], **options: float) -> Coupling:
        return kind("loop", self.dependent, self.independent, self.equations, self.near, **options)

    def places(self, count: int = 7) -> np.ndarray:
        """Well inside the box, where every kind can look."""
        low, high = np.transpose(self.box)
        share = np.random.default_rng(1).uniform(0.1, 0.9, (count, len(self.box)))
        return low + share * (high - low)


def triangle() -> Case:
    """Four unknowns of three inputs, known: triangular equations with the known functions in them."""
    known = (
        Expression(lambda x, y, z: ca.sin(x * y) + 0.3 * z**2, 3),
        Expression(lambda x, y, z: x - 0.4 * ca.cos(y - z), 3),
        Expression(lambda x, y, z: 0.5 * x * y * z, 3),
        Expression(lambda x, y, z: ca.exp(0.3 * x - 0.2 * z) - y, 3),
    )
    mixing = np.random.default_rng(0).uniform(-0.4, 0.4, (4, 4)) + np.eye(4)

    def equation(k: int) -> Function:
        def formula(*args: ca.SX) -> ca.SX:
            q, s = args[:3], args[3:]
            off = [value - ca.SX(f(*q)) for value, f in zip(s, known, strict=True)]
            total = sum(float(mixing[k, j]) * off[j] for j in range(4))
            return total + 0.2 * ca.sin(off[(k + 1) % 4]) * (1 + s[k]) * q[k % 3]

        return Expression(formula, 7)

    names = ("a.angle", "b.angle", "c.angle", "d.angle")
    box = ((-0.5, 0.5), (-0.4, 0.6), (0.1, 0.9))
    return Case(names, ("x.angle", "y.angle", "z.angle"), tuple(map(equation, range(4))), (), box, known)


CASES = {
    "four-bar": Case(
        FOUR_BAR_ANGLES, ("height.displacement",), four_bar_equations(), (0.95, -1.9, 1.77), ((-1.2, 1.2),)
    ),
    "five-bar": Case(
        FIVE_BAR_ANGLES[2:], FIVE_BAR_ANGLES[:2], five_bar_equations(), (-1.2, -2.0), ((0.7, 1.5), (0.1, 0.9))
    ),
    "triangle": triangle(),
}
every_case = pytest.mark.parametrize("name", CASES)


def derivatives(coupling: Coupling, q: np.ndarray) -> Derivatives:
    return coupling.value(q), coupling.gradient(q), coupling.hessian(q)


@cache
def truth(name: str) -> Derivatives:
    """By NumPy: Newton's method, then the implicit-function theorem with the equations' derivatives."""
    case = CASES[name]
    m, n = len(case.independent), len(case.dependent)
    z = ca.SX.sym("z", m + n)
    g = ca.vertcat(*[f(*ca.vertsplit(z)) for f in case.equations])
    parts = [g, ca.jacobian(g, z), *(ca.hessian(g[i], z)[0] for i in range(n))]
    function = ca.Function("g", [z], [ca.densify(part) for part in parts])
    found: list[Derivatives] = []
    for q in case.places():
        s = np.array(case.near or (0.0,) * n)
        for _ in range(30):
            g0, slope, *H = (value.full() for value in function(np.append(q, s)))
            s = s - np.linalg.solve(slope[:, m:], g0)[:, 0]
        gradient = -np.linalg.solve(slope[:, m:], slope[:, :m])
        S = np.vstack([np.eye(m), gradient])
        right = np.array([S.T @ h @ S for h in H]).reshape(n, m * m)
        found.append((s, gradient, -np.linalg.solve(slope[:, m:], right).reshape(n, m, m)))
    values, gradients, hessians = (np.array(part) for part in zip(*found, strict=True))
    return values, gradients, hessians


def largest(found: Derivatives, wanted: Derivatives) -> np.ndarray:
    """(3): differences over the largest number of each."""
    return np.array([np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, wanted, strict=True)])


@every_case
@pytest.mark.parametrize("kind", [Implicit, Projection])
def test_exact_kinds(name: str, kind: type[Equations]) -> None:
    """To round-off; the projection pays for the square of the condition number."""
    case = CASES[name]
    assert largest(derivatives(case.made(kind), case.places()), truth(name)).max() <= 3e-13


@every_case
def test_molecule_is_of_second_order(name: str) -> None:
    """The value is exact; gradient and Hessian converge with the square of the step, to the exact ones."""
    case = CASES[name]
    errors = [
        largest(derivatives(case.made(FiniteDifference, step=h), case.places()), truth(name))
        for h in (0.004, 0.002)
    ]
    assert errors[0][0] <= 1e-13
    order = np.log2(errors[0][1:] / errors[1][1:])
    assert np.abs(order - 2).max() <= 0.05
    finer = largest(derivatives(case.made(FiniteDifference, step=1e-4), case.places()), truth(name))
    assert finer[1] <= 1e-6 and finer[2] <= 1e-5


FITS: dict[str, dict[str, tuple[float, float, float]]] = {
    "four-bar": {
        "cubic": (1e-5, 1e-3, 0.2),
        "natural cubic": (1e-2, 1e-1, 2.5),
        "quintic": (1e-4, 1e-2, 0.5),
        "chebyshev": (1e-9, 1e-7, 1e-4),
    },
    "five-bar": {"cubic": (1e-4, 1e-2, 1.0), "chebyshev": (1e-10, 1e-9, 1e-7)},
    "triangle": {"chebyshev": (1e-4, 1e-3, 1e-2)},
}


@pytest.mark.parametrize(("name", "form"), [(name, form) for name, some in FITS.items() for form in some])
def test_sampled_to_their_bounds(name: str, form: str) -> None:
    case, tolerance = CASES[name], FITS[name][form]
    fit = sample(case.made(Implicit), form, case.box, tolerance=tolerance)
    for found, wanted, allowed in zip(derivatives(fit, case.places()), truth(name), tolerance, strict=True):
        assert np.abs(found - wanted).max() <= allowed


@every_case
def test_explicit_where_it_is_known(name: str) -> None:
    """The equations of a known function give that function back, by every kind."""
    case = CASES[name]
    for k, function in enumerate(case.known):
        known = Explicit("known", case.dependent[k], case.independent, function)
        for found, wanted in zip(derivatives(known, case.places()), truth(name), strict=True):
            assert np.abs(found[:, 0] - wanted[:, k]).max() <= 1e-12


@every_case
def test_curvature_is_the_rate_of_the_gradient(name: str) -> None:
    """What dynamics asks for, of every kind: along a motion the gradient changes by the curvature."""
    case = CASES[name]
    m, n = len(case.independent), len(case.dependent)
    kinds: list[Callable[[], Coupling]] = [
        lambda: case.made(Implicit),
        lambda: case.made(Projection),
        lambda: case.made(FiniteDifference, step=1e-3),
    ]
    q, rates = case.places(1), np.random.default_rng(2).uniform(-1, 1, m)
    for make in kinds:
        coupling = make()
        q_, s_, r_ = ca.SX.sym("q", m), ca.SX.sym("s", n), ca.SX.sym("r", m)
        curvature = ca.Function("c", [q_, s_, r_], [coupling.curvature(q_, s_, r_)])
        found = curvature(q[0], coupling.value(q)[0], rates).full()[:, 0]
        h = 1e-4
        slopes = (coupling.gradient(q + h * rates) - coupling.gradient(q - h * rates))[0] @ rates / (2 * h)
        assert np.abs(found - slopes).max() <= 1e-5 * (1 + np.abs(slopes).max()), type(coupling).__name__


@pytest.mark.parametrize(("name", "count"), [("four-bar", 3), ("five-bar", 9), ("triangle", 19)])
def test_points_of_the_molecule(name: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """1 + 2 m + 2 m (m - 1) of them: nine for two independents, where the paper's text has ten."""
    case = CASES[name]
    visited: set[tuple[tuple[int, int], ...]] = set()
    moved = FiniteDifference._moved

    def recorded(self: FiniteDifference, q: ca.SX, s: ca.SX, steps: dict[int, int]) -> ca.SX:
        visited.add(tuple(sorted(steps.items())))
        return moved(self, q, s, steps)

    monkeypatch.setattr(FiniteDifference, "_moved", recorded)
    derivatives(case.made(FiniteDifference, step=1e-3), case.places(1))
    assert len(visited) == count


def kinds_of_five_bar() -> dict[str, Coupling]:
    """One loop in every way, and how it may differ from the implicit form."""
    case = CASES["five-bar"]
    implicit = case.made(Implicit)
    return {
        "implicit": implicit,
        "projection": case.made(Projection),
        "molecule": case.made(FiniteDifference, step=1e-3),
        "sampled": sample(implicit, "chebyshev", case.box, tolerance=(1e-10, 1e-9, 1e-7)),
    }


def test_in_a_mechanism() -> None:
    """Gradients and Hessians of all joint variables, and the accelerations that they lead to."""
    case, q = CASES["five-bar"], np.array([1.0, 0.4])
    rng = np.random.default_rng(5)
    u, tau = rng.normal(size=(2, 2))
    found: dict[str, list[np.ndarray]] = {}
    for name, coupling in kinds_of_five_bar().items():
        model = coupled_five_bar(coupling, (1.0, 0.4, *case.near))
        z = np.zeros(0) if coupling.is_explicit else coupling.value(q)
        state = State(q, u, np.zeros(2), tau, z, np.zeros(0))
        numbers = Numbers(Mechanism(model))
        quantities = ("joint_values", "coupling_matrix", "coupling_hessian", "forward_dynamics")
        found[name] = [numbers.one(quantity, state) for quantity in quantities]
    allowed = {
        "projection": (1e-13, 1e-13, 1e-13, 1e-13),
        "molecule": (1e-13, 1e-6, 1e-5, 1e-5),
        "sampled": (1e-10, 1e-9, 1e-7, 1e-6),
    }
    for name, bounds in allowed.items():
        for value, exact, bound in zip(found[name], found["implicit"], bounds, strict=True):
            assert np.abs(value - exact).max() <= bound * (1 + np.abs(exact).max()), name
