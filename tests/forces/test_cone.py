"""The circumduction cone: its numbers, its poles, and motion on three joints in both formulations."""

from __future__ import annotations

from dataclasses import replace
from math import atan2, cos, pi, radians, sin

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.forces import CircumductionCone, CoordinateSpring, RotationalDamper
from condyle.functions import CubicStep, Expression, Linear, PeriodicCubicSpline, Polynomial
from condyle.joints import Ball, Free, Joint, Pin, Universal
from condyle.library.ankle import LIMITS, PLATEAU, WIDTH, range_of_motion
from condyle.mechanism import JointConstraint
from condyle.solve import DormandPrince853

ARM = cd.Body("arm", 1.0, (0.0, 0.0, 0.3), (0.02, 0.02, 0.01, 0.0, 0.0, 0.0))
HAND = cd.Body("hand", 0.7, (0.2, 0.0, 0.02), (0.004, 0.006, 0.007, 0.0, 0.0005, 0.0))
GRAVITY = (0.5, 1.0, -9.0)
AT = cd.Placement((0.0, 0.0, 0.5), (0.2, 0.1, -0.1))
JOINTS = (
    Pin("wrist", "arm", "hand", AT, axis=(0.0, 0.8, 0.6)),
    Universal("wrist", "arm", "hand", AT, sequence="yz"),
    Ball("wrist", "arm", "hand", AT),
)
CONE = replace(range_of_motion(), reference="arm", body="hand", law=CubicStep(20.0, radians(20.0)))


def minimal(wrist: Joint, *forces) -> cd.Model:
    """The hand on an arm that swings too."""
    return cd.Model(
        "arm", (ARM, HAND), (Pin("elbow", "ground", "arm"), wrist), gravity=GRAVITY, forces=forces
    )


def absolute(wrist: Joint, *forces) -> cd.Model:
    """Two free bodies and constraints; the same force."""
    joints = (Free("arm", "ground", "arm"), Free("hand", "ground", "hand"))
    held = tuple(
        JointConstraint(joint.name, joint=joint, in_ground=True)
        for joint in (Pin("elbow", "ground", "arm"), wrist)
    )
    return cd.Model("bodies", (ARM, HAND), joints, held, gravity=GRAVITY, forces=forces)


def _free_state(mechanism: cd.Mechanism, q, u) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and speeds of free bodies that are where the mechanism's are."""
    from condyle.spatial import euler_parameters_from_rotation

    coordinates, speeds = [], []
    poses, velocities = mechanism.body_poses(q), mechanism.body_velocities(q, u)
    for body in ("arm", "hand"):
        coordinates += [euler_parameters_from_rotation(poses[body][0]), poses[body][1]]
        speeds += list(velocities[body])
    return np.concatenate(coordinates), np.concatenate(speeds)


@pytest.mark.parametrize("wrist", JOINTS, ids=lambda joint: type(joint).__name__)
def test_both_formulations_move_alike(wrist):
    """Against the cone and a damper for half a second: the same poses, which without them would be others."""
    times = np.linspace(0.0, 0.5, 6)
    options = {"method": DormandPrince853(), "rtol": 1e-11, "atol": 1e-12}
    found = {}
    for name, forces in (("held", (CONE, RotationalDamper("d", "arm", "hand", 0.05))), ("free", ())):
        mechanism = cd.compile(minimal(wrist, *forces))
        q, u = mechanism.default_state()
        u = u + 0.3
        run = cd.simulate(mechanism, q, u, times, **options)
        found[name] = mechanism.center_of_mass(run.q)["hand"]
        if forces:
            bodies = cd.compile(absolute(wrist, *forces))
            start = _free_state(mechanism, q, u)
            other = cd.simulate(bodies, *start, times, constraint_tolerance=1e-12, **options)
            assert other.status == 0
            assert np.abs(bodies.center_of_mass(other.q)["hand"] - found[name]).max() < 1e-9
            udot = bodies.forward_dynamics(*start)[6:9]
            by_pins = mechanism.body_accelerations(q, u, mechanism.forward_dynamics(q, u))["hand"][0]
            assert np.abs(udot - by_pins).max() < 1e-10 * np.abs(by_pins).max()
    assert np.abs(found["held"] - found["free"]).max() > 0.02


def test_energy_balance():
    """Conservative forces keep the energy that `simulate` reports; a damper only takes from it."""
    wrist = JOINTS[1]
    spring = CoordinateSpring("s", "elbow.angle", 8.0, rest=0.3)
    keeping = cd.compile(minimal(wrist, replace(CONE, normal="gradient"), spring))
    losing = cd.compile(minimal(wrist, replace(CONE, normal="gradient", damping=0.05), spring))
    paper = cd.compile(minimal(wrist, CONE, spring))
    options = {"method": DormandPrince853(), "rtol": 1e-11, "atol": 1e-12}
    times = np.linspace(0.0, 2.0, 401)
    q, u = keeping.default_state()
    runs = [cd.simulate(each, q, u + 0.3, times, **options) for each in (keeping, losing, paper)]
    potential = keeping.potential_energy(runs[0].q)
    without = cd.compile(minimal(wrist, spring)).potential_energy(runs[0].q)
    assert (potential - without).max() > 0.3  # it was used
    # The law has one continuous derivative only, which is what limits the integrator here.
    assert runs[0].energy_drift < 1e-8
    assert np.diff(runs[1].energy).max() < 1e-9 and runs[1].energy[0] - runs[1].energy[-1] > 0.3
    assert runs[2].energy_drift > 1e-3  # the surface's normal has no potential where limits vary


def test_moment_by_hand():
    """The paper's equations 35 to 38, written out in NumPy, at directions all around and beyond each part."""
    cone = range_of_motion()
    limits = PeriodicCubicSpline((0.0, pi / 2, pi, 3 * pi / 2), LIMITS)
    joint_axes = np.array([(0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)])  # rows xi, eta, zeta
    seen = set()
    for psi in np.linspace(-3.0, 3.1, 9):
        for sigma in (0.1, 0.6, 0.7, 1.2, 3.0):
            local = np.array([sin(sigma) * cos(psi), sin(sigma) * sin(psi), cos(sigma)])
            direction = joint_axes.T @ local
            limit, slope = (float(limits.evaluate(psi % (2 * pi), order=k)) for k in (0, 1))
            x = (sigma - limit) / WIDTH
            size = 0.0 if x <= 0 else PLATEAU * (3 * x**2 - 2 * x**3 if x <= 1 else 1.0)
            seen.add((x > 0) + (x > 1))
            # The surface's tangents along the meridian and around it.
            edge = np.array([sin(limit) * cos(psi), sin(limit) * sin(psi), cos(limit)])
            around = np.array([-sin(limit) * sin(psi), sin(limit) * cos(psi), 0.0])
            around += slope * np.array([cos(limit) * cos(psi), cos(limit) * sin(psi), -sin(limit)])
            n = np.cross(edge, around)
            n /= np.linalg.norm(n) * np.sign(n[2])
            expected = size * np.cross(direction, joint_axes.T @ n)
            found = _moment(cone, direction)
            assert found == pytest.approx(expected, abs=1e-11 * PLATEAU)
            if x > 0:
                assert n @ local < 0  # inwards of a cone narrower than a right angle
    assert seen == {0, 1, 2}


def _moment(cone: CircumductionCone, direction: np.ndarray, turn: float = 0.0) -> np.ndarray:
    """On the foot, in axes of the leg, where its x axis has this direction; `turn` about it."""
    x = direction
    y = np.cross([0.3, -0.5, 0.8], x)
    y /= np.linalg.norm(y)
    y = cos(turn) * y + sin(turn) * np.cross(x, y)
    R = np.column_stack([x, y, np.cross(x, y)])

    class Still:
        def relative_pose(self, reference, body):
            return cd.spatial.Transform(ca.SX(R), ca.SX(3, 1))

    (pair,) = cone.act(Still()).pairs  # type: ignore[arg-type]
    return np.array(ca.DM(ca.densify(pair.moment)).full())[:, 0]


def test_longitude_and_latitude():
    """Equations 36 and 37."""
    cone, R = range_of_motion(), ca.SX.sym("R", 3, 3)
    polar = ca.Function("polar", [R], [ca.vertcat(*cone.polar(R), cone.excess(R))])
    down = cd.Placement(angles=(0.0, radians(40.0), 0.0)).transform().R  # plantarflexion
    assert polar(ca.DM(down)).full()[:, 0] == pytest.approx([0.0, radians(40.0), radians(5.0)], abs=1e-12)
    inwards = cd.Placement(angles=(0.0, 0.0, radians(30.0))).transform().R
    assert polar(ca.DM(inwards)).full()[:, 0] == pytest.approx([pi / 2, radians(30.0), radians(-5.0)])


@pytest.mark.parametrize("normal", ["surface", "gradient", "radial"])
def test_poles(normal):
    """Along the cone's axis, and opposite to it, loads and their derivatives are finite."""
    body = cd.Body("foot", 1.0, (0.1, 0.0, 0.0), (0.01,) * 3 + (0.0,) * 3)
    leg = cd.Body("leg", 1.0, (0.0, 0.0, 0.0), (0.01,) * 3 + (0.0,) * 3)
    joints = (Pin("knee", "ground", "leg"), Ball("ankle", "leg", "foot"))
    mechanism = cd.compile(cd.Model("m", (leg, body), joints, forces=(range_of_motion(normal, 0.1),)))
    function = mechanism.function("inverse_dynamics_derivatives")
    tau = mechanism.function("inverse_dynamics")
    for e in ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (cos(1e-13), 0.0, sin(1e-13), 0.0)):
        arguments = (np.array([0.3, *e]), np.ones(4), 0, 0, 0, 0, 0)
        assert all(np.isfinite(part.full()).all() for part in function(*arguments))
        assert np.isfinite(tau(*arguments).full()).all()


def test_torsion_is_free():
    """Turning about the restricted direction changes no moment."""
    cone = range_of_motion()
    x = np.array([cos(0.9), 0.3 * sin(0.9), -sin(0.9)])
    x /= np.linalg.norm(x)
    first = _moment(cone, x)
    assert np.linalg.norm(first) > 10 and abs(first @ x) < 1e-12 * np.linalg.norm(first)


def test_round_cone_of_surface_and_gradient():
    """With constant limits all normals are the meridian's at the limit or beyond it: one moment."""
    round_ = PeriodicCubicSpline((0.0, 2.0, 4.0), (0.5, 0.5, 0.5))
    x = np.array([cos(0.6), 0.0, -sin(0.6)])
    moments = [
        _moment(replace(range_of_motion(normal), limits=round_), x)
        for normal in ("surface", "radial", "gradient")
    ]
    assert moments[0] == pytest.approx(moments[1], rel=1e-12)
    # At the limit n is level with the cone, beyond it the gradient's has turned on: cos of the angle between.
    assert moments[0][1] == pytest.approx(moments[2][1] * cos(0.1), rel=1e-12)
    assert atan2(x[2], x[0]) == pytest.approx(-0.6)


@pytest.mark.parametrize("wrist", JOINTS, ids=lambda joint: type(joint).__name__)
def test_conservative_variant_on_every_joint(wrist):
    """The normal of a potential, with damping and without: energy is kept or only lost, and both formulations
    (the joints' own coordinates; Euler parameters with the joints as constraints) find the same motion.
    """
    options = {"method": DormandPrince853(), "rtol": 1e-11, "atol": 1e-12, "constraint_tolerance": 1e-12}
    times = np.linspace(0.0, 0.6, 61)
    model, promoted = minimal(wrist, replace(CONE, normal="gradient")), ("range_of_motion.damping",)
    mechanism = cd.compile(model, parameters=promoted)
    bodies = cd.compile(model, parameters=promoted, formulation="absolute")
    q, u = mechanism.default_state()
    start = q, u + 0.3
    for damping in (0.0, 0.05):
        own = options | {"parameters": [damping]}
        run = cd.simulate(mechanism, *start, times, **own)
        other = cd.simulate(bodies, *bodies.from_minimal(*start), times, **own)
        places = mechanism.center_of_mass(run.q)["hand"]
        assert np.abs(bodies.center_of_mass(other.q)["hand"] - places).max() < 1e-9
        without = cd.compile(minimal(wrist)).potential_energy(run.q)
        stored = mechanism.potential_energy(run.q, parameters=[damping]) - without
        assert stored.max() > 0.01  # the cone was reached
        if damping:
            assert np.diff(run.energy).max() < 1e-9 and run.energy[0] - run.energy[-1] > 0.01
        else:
            assert max(run.energy_drift, other.energy_drift) < 1e-8


@pytest.mark.parametrize(
    "law", [Linear(90.0), Polynomial((0.0, 0.0, 300.0)), Expression(lambda x: 40 * ca.tanh(8 * x))], ids=str
)
def test_law_is_replaceable(law):
    """The moment's size is the law's value of kappa, where limits are constant."""
    round_ = PeriodicCubicSpline((0.0, 2.0, 4.0), (0.5, 0.5, 0.5))
    cone = replace(range_of_motion(), limits=round_, law=law, normal="surface")
    potential = replace(cone, normal="gradient")
    kappa = 0.17
    x = np.array([cos(0.5 + kappa), 0.0, -sin(0.5 + kappa)])
    size = float(ca.DM(ca.Function("law", [], [law(ca.SX(kappa))])()["o0"]))
    assert np.linalg.norm(_moment(cone, x)) == pytest.approx(size * cos(kappa), rel=1e-12)
    if potential.problems():
        assert "antiderivative" in potential.problems()[0]
    else:
        assert np.linalg.norm(_moment(potential, x)) == pytest.approx(size, rel=1e-12)
    inside = np.array([cos(0.4), 0.0, -sin(0.4)])
    assert np.linalg.norm(_moment(cone, inside)) == 0.0


def test_torsion_changes_nothing():
    """The same moment however far the body is turned about its restricted direction."""
    x = np.array([cos(0.9), 0.3 * sin(0.9), -sin(0.9)])
    x /= np.linalg.norm(x)
    moments = [_moment(range_of_motion(), x, turn) for turn in (0.0, 0.7, -2.5)]
    assert np.linalg.norm(moments[0]) > 10
    for moment in moments[1:]:
        assert moment == pytest.approx(moments[0], rel=1e-12)
