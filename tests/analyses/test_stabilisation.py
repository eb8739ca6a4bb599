"""How constraints are kept: violations decay as Baumgarte's equation says, projections remove them."""

from __future__ import annotations

import numpy as np
import pytest

import condyle as cd
from condyle.analyses import Baumgarte, Projection, Unstabilised, VelocityProjection
from condyle.errors import InputError
from condyle.library.ankle import ankle_bodies
from condyle.solve import CVODES, TRBDF2, DormandPrince853

from ..compiled.models import tied
from ..couplings.cases import gliding

ALL = (Projection(), VelocityProjection(), Baumgarte(5.0, 5.0), Unstabilised())
TIGHT = {"method": DormandPrince853(), "rtol": 1e-11, "atol": 1e-11}


@pytest.mark.parametrize("link", [0.0, 0.0417])
def test_baumgarte_on_the_ankle(link):
    """Alpha = beta = 5 and tolerance 1e-11: the violation stays below 5e-12 for 5 s, far below the drift."""
    mechanism = cd.compile(ankle_bodies(link))
    start = mechanism.default_state()
    kept = cd.simulate(mechanism, *start, 5.0, stabilisation=Baumgarte(5.0, 5.0), **TIGHT)
    left = cd.simulate(mechanism, *start, 5.0, stabilisation=Unstabilised(), **TIGHT)
    assert kept.status == left.status == cd.Status.OK
    assert 0 < kept.constraint_residual < 5e-12 < left.constraint_residual
    assert np.abs(kept.q - left.q).max() < 1e-8
    assert kept.energy_drift < 2e-10


@pytest.mark.parametrize(("alpha", "beta"), [(5.0, 5.0), (3.0, 9.0), (4.0, 1.0), (0.0, 6.0)])
@pytest.mark.parametrize("model", [tied(), gliding()], ids=lambda model: model.name)
def test_violations_decay_as_the_equation_says(model, alpha, beta):
    """Each residual is the solution of gddot + 2 alpha gdot + beta^2 g = 0, whatever the mechanism does."""
    mechanism = cd.compile(model)
    rng = np.random.default_rng(2)
    q, u = mechanism.default_state()
    q, u, _ = mechanism.project(q + 0.4 * rng.standard_normal(q.size), u)
    q = q + 0.05 * rng.standard_normal(q.size)
    for group in mechanism.unit_groups:
        q[group : group + 4] /= np.linalg.norm(q[group : group + 4])
    u = rng.standard_normal(u.size)
    times = np.linspace(0.0, 0.6, 7)
    run = cd.simulate(mechanism, q, u, times, stabilisation=Baumgarte(alpha, beta), **TIGHT)
    assert run.status == cd.Status.OK
    g = mechanism.constraint_residual(run.q)
    rate = np.einsum("tij,tj->ti", mechanism.constraint_jacobian(run.q), run.u)
    root = np.sqrt(complex(alpha**2 - beta**2))
    sine = times * (np.sinh(root * times) / (root * times + (times == 0)) if root else 1.0)
    decay = np.exp(-alpha * times)[:, None]
    expected = decay * (np.cosh(root * times)[:, None] * g[0] + sine[:, None] * (rate[0] + alpha * g[0]))
    assert np.abs(g[0]).max() > 0.01 and np.abs(rate[0]).max() > 0.1
    assert np.abs(g - expected.real).max() < 1e-9 * max(1.0, np.abs(g).max())
    assert run.constraint_residual >= np.abs(g[0]).max()


@pytest.mark.parametrize("kept", ALL, ids=lambda kept: type(kept).__name__)
def test_what_is_left_of_violations(kept):
    """At a loose tolerance: a level that is projected is within the constraint tolerance, others are not."""
    mechanism = cd.compile(ankle_bodies())
    q, u = mechanism.default_state()
    run = cd.simulate(
        mechanism, q, u, 2.0, stabilisation=kept, rtol=1e-5, atol=1e-5, constraint_tolerance=1e-10
    )
    assert run.status == cd.Status.OK
    assert (run.constraint_residual <= 1e-10) == kept.projects_positions
    assert (run.constraint_rate <= 1e-10) == kept.projects_velocities
    assert run.constraint_residual <= 1e-3  # measured, not infinite


def test_all_find_one_motion():
    """And methods that know no projections do, too."""
    mechanism = cd.compile(ankle_bodies())
    start, times = mechanism.default_state(), np.linspace(0.0, 1.0, 6)
    runs = [cd.simulate(mechanism, *start, times, stabilisation=kept, **TIGHT).q for kept in ALL]
    assert max(np.abs(run - runs[0]).max() for run in runs[1:]) < 1e-9
    for method, tolerance in ((CVODES(), 1e-9), (TRBDF2(), 1e-6)):
        other = cd.simulate(
            mechanism, *start, times, method=method, rtol=tolerance, atol=tolerance, stabilisation=ALL[2]
        )
        assert other.status == cd.Status.OK and other.evaluations > other.steps > 0
        assert np.abs(other.q - runs[0]).max() < 100 * tolerance


def test_members_do_not_depend_on_their_companions():
    """What is measured but not moved leaves an ensemble's members as they are alone."""
    mechanism = cd.compile(ankle_bodies())
    q, u = mechanism.default_state()
    speeds = np.zeros((3, u.size))
    together = cd.simulate(mechanism, q, speeds, 0.5, stabilisation=ALL[2])
    alone = cd.simulate(mechanism, q, u, 0.5, stabilisation=ALL[2])
    assert (together.q == alone.q).all()
    assert (together.constraint_residual == alone.constraint_residual).all()


def test_a_mechanism_without_constraints_takes_any():
    """Nothing is left to keep."""
    model = cd.Model("m", (cd.Body("b", 1.0, (0.0, -1.0, 0.0)),), (cd.joints.Pin("j", "ground", "b"),))
    mechanism = cd.compile(model)
    runs = [cd.simulate(mechanism, [0.3], [0.0], 1.0, stabilisation=kept) for kept in ALL]
    assert all((run.q == runs[0].q).all() and run.constraint_residual == 0 for run in runs)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Baumgarte(-1.0, 5.0), "alpha is -1.0; allowed: finite numbers that are not negative"),
        (lambda: Baumgarte(float("nan"), float("inf")), "alpha is nan; beta is inf"),
        (lambda: _run(stabilisation="baumgarte"), "'baumgarte'; allowed: one of Projection, Velocity"),
        (lambda: _run(stabilisation=Baumgarte), "as in Baumgarte"),
        (lambda: _run(method=CVODES()), "no position_projection and no velocity_projection"),
    ],
)
def test_bad_input(make, said):
    """Is named."""
    with pytest.raises(InputError, match=said):
        make()


def _run(**options):
    mechanism = cd.compile(ankle_bodies())
    return cd.simulate(mechanism, *mechanism.default_state(), 0.1, **options)
