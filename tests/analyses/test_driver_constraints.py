"""Redundant, contradictory and singular sets of constraints under drivers: a status, or a sentence."""

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.constraints import Distance, Revolute
from condyle.drivers import EulerRotation, Motion, PrescribedCoordinate
from condyle.errors import InputError
from condyle.joints import Pin
from condyle.spatial import Placement
from condyle.status import Status

TIMES = np.linspace(0.0, 1.0, 41)
INERTIA = (0.01, 0.02, 0.03, 0.0, 0.0, 0.0)


def four_bar():
    """Crank, coupler and rocker by pins about z, closed by a revolute: 3 of its 5 equations are redundant."""
    names = ("crank", "coupler", "rocker")
    bodies = tuple(cd.Body(name, 1.0, (0.05, 0.1, 0.03), INERTIA) for name in names)  # off the plane
    joints = (
        Pin("a", "ground", "crank"),
        Pin("b", "crank", "coupler", Placement((0.0, 0.2, 0.0))),
        Pin("d", "ground", "rocker", Placement((0.5, 0.0, 0.0))),
    )
    closing = Revolute(
        "c", "coupler", "rocker", (0.5, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)
    )
    return cd.Model("four_bar", bodies, joints, (closing,))


@pytest.fixture(scope="module")
def linkage():
    with pytest.warns(UserWarning, match="constraint equations follow from the others"):
        mechanism = cd.compile(four_bar(), formulation="absolute")
        assert mechanism.constraint_report.rank == 17
    return mechanism


@pytest.fixture(scope="module")
def turning(linkage):
    crank = Motion.of_expression(lambda t: 0.8 * ca.sin(2 * t), TIMES)
    return cd.kinematic_analysis(linkage, (PrescribedCoordinate("crank", "a.angle"),), {"crank": crank})


def test_redundant_constraints_are_no_obstacle(linkage, turning):
    """The parallelogram turns as one: the coupler keeps its orientation, residuals vanish."""
    assert not turning.status.any() and np.abs(turning.residual).max() < 1e-12
    angle = 0.8 * np.sin(2 * TIMES)
    poses = linkage.body_poses(turning.q)
    assert poses["coupler"][0] == pytest.approx(np.tile(np.eye(3), (41, 1, 1)), abs=1e-12)
    assert poses["rocker"][0][:, 1, 0] == pytest.approx(np.sin(angle), abs=1e-12)
    rates = 1.6 * np.cos(2 * TIMES)
    for body in ("crank", "rocker"):
        assert linkage.body_velocities(turning.q, turning.u)[body][0][:, 2] == pytest.approx(rates, abs=1e-10)


def test_torque_is_determined_though_reactions_are_not(linkage, turning):
    """Power: the driver's torque times its rate is the rate of the energy; every policy gives it."""
    with pytest.raises(InputError, match="3 multipliers are not determined"):
        cd.driver_dynamics(turning)
    energy = linkage.kinetic_energy(turning.q, turning.u) + linkage.potential_energy(turning.q)
    rate = np.gradient(energy, TIMES, edge_order=2)
    found = [cd.driver_dynamics(turning, policy=p) for p in ("minimum_norm", "weighted", "basic")]
    for each in found:
        power = each.torques["a"][:, 0] * 1.6 * np.cos(2 * TIMES)
        assert power[2:-2] == pytest.approx(rate[2:-2], abs=0.02)
        assert each.torques["a"] == pytest.approx(found[0].torques["a"], abs=1e-9)
        assert each.redundant == 3 and each.undetermined == ()
    differ = np.abs(found[0].multipliers - found[2].multipliers).max()
    assert differ > 1e-3  # of the joints, which no torque depends on


def test_contradictory_constraints_are_named():
    """Two rods of different length between the same points: INFEASIBLE, both rows in the sentence."""
    bodies = tuple(cd.Body(name, 1.0, inertia=INERTIA) for name in ("one", "two"))
    joints = (Pin("a", "ground", "one"), Pin("b", "ground", "two", Placement((0.5, 0.0, 0.0))))
    ends = ((0.0, -0.2, 0.0), (0.0, -0.2, 0.0))
    rods = tuple(
        Distance(name, "one", "two", *ends, length=length)
        for name, length in (("short", 0.5), ("long", 0.52))
    )
    model = cd.Model("contradictory", bodies, joints, rods)
    mechanism = cd.compile(model, formulation="absolute")
    still = Motion.of_expression(lambda t: 0.1 + 0 * t, TIMES[:3])
    driver = PrescribedCoordinate("crank", "a.angle")
    with pytest.warns(UserWarning):  # no pose satisfies both rods: the model says so when it is looked at
        assert mechanism.constraint_report is not None
    found = cd.kinematic_analysis(mechanism, (driver,), {"crank": still})
    assert (found.status == Status.INFEASIBLE).all()
    text = found.explain(0)
    assert "INFEASIBLE" in text and "short[0]" in text and "long[0]" in text
    assert np.isnan(found.u).all() and found.constraint_residual.max() > 1e-3
    # Nearest in least squares: the rods' residuals d.d - l^2 share the difference.
    rows = [found.row_names.index(f"{name}[0]") for name in ("short", "long")]
    assert found.residual[0, rows[0]] == pytest.approx(-found.residual[0, rows[1]], rel=1e-3)


def knee_by_e0(angle):
    """A knee guided by e0 alone, whose row vanishes where the angle does."""
    body = cd.Body("shank", 1.0, inertia=INERTIA)
    model = cd.Model("knee", (body,), (Pin("knee", "ground", "shank"),))
    mechanism = cd.compile(model, formulation="absolute")
    driver = EulerRotation("knee", "ground", "shank", components=(0,))
    with pytest.warns(UserWarning, match="e0 come near a singularity"):
        return cd.kinematic_analysis(mechanism, (driver,), {"knee": angle.as_orientation("z")})


def test_singular_frames_have_a_status():
    """The frame where the row vanishes is told, the others are found."""
    found = knee_by_e0(Motion.of_expression(lambda t: 0.9 - 0.9 * t, TIMES))
    assert not found.status[:-1].any()
    assert found.regularity[-2] < 0.03 and found.status[-1] in (Status.SINGULAR, Status.NOT_CONVERGED)
    assert np.isnan(found.u[-1]).all() and np.isfinite(found.u[:-1]).all()
    assert found.explain(40).split(": ")[1].startswith(("SINGULAR", "NOT_CONVERGED"))


def test_a_singular_start_does_not_spoil_the_rest():
    """Nothing leads on from the first frame: the second starts from its own data. No count is wrong there."""
    found = knee_by_e0(Motion.of_expression(lambda t: 0.9 * t, TIMES))
    assert found.status[0] == Status.SINGULAR and not found.status[1:].any()
    assert np.degrees(found.deviation["knee"][1:]) == pytest.approx(0.0, abs=1e-6)
    assert found.report.problems() == []
