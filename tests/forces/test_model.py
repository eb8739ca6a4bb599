"""Force elements as parts of a model: checks, files, parameters, and nothing where there are none."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import condyle as cd
from condyle.errors import ModelError
from condyle.forces import CircumductionCone, CoordinateSpring, RotationalDamper
from condyle.functions import Constant, Expression, Linear, NaturalCubicSpline, PeriodicCubicSpline
from condyle.io import read_yaml, write_yaml
from condyle.joints import Ball, Pin

from ..compiled.models import arm
from .cases import CASES, sample, tree

BOTH = {"reference": "base", "body": "b"}
#: Instructions before there were force elements.
COUNTS = {
    "forward_dynamics": 1185,
    "forward_dynamics_and_reactions": 1709,
    "inverse_dynamics": 622,
    "bias": 580,
    "joint_reactions": 735,
    "potential_energy": 170,
    "inverse_dynamics_derivatives": 2852,
    "forward_dynamics_derivatives": 4699,
}


def test_a_model_without_forces_pays_nothing():
    """Not one instruction more than before there were any."""
    mechanism = cd.compile(arm())
    assert {name: mechanism.function(name).n_instructions() for name in COUNTS} == COUNTS


def test_a_moment_across_one_joint_costs_little():
    """Whatever carries the joint: a damper at the knee adds few instructions to those of the whole tree."""

    def count(*forces):
        return cd.compile(tree(*forces)).function("forward_dynamics").n_instructions()

    assert 0 < count(RotationalDamper("d", "a", "a2", 0.5)) - count() <= 10


@pytest.mark.parametrize(
    ("force", "said"),
    [
        (RotationalDamper("d", "base", "shank", 1.0), r"forces\.d: unknown body 'shank'"),
        (RotationalDamper("d", "base", "", 1.0), r"forces\.d: body is missing"),
        (RotationalDamper("d", "b", "b", 1.0), "both 'b'; they must differ"),
        (RotationalDamper("d", "base", "b", -1.0), "coefficient must not be negative, found -1.0"),
        (
            RotationalDamper("d", "base", "b", float("nan")),
            r"forces\.d\.coefficient: must be a finite",
        ),
        (CoordinateSpring("s", "knee.angel"), "unknown coordinate 'knee.angel'; did you mean 'knee.angle'"),
        (CoordinateSpring("s"), "coordinate is missing"),
        (CoordinateSpring("s", "knee.angle", damping=-1.0), "damping must not be negative"),
        (CoordinateSpring("s", "hip.e1", 1.0), "'hip.e1' is an Euler parameter"),
        (CircumductionCone("c", **BOTH, axis=(1.0, 1.0, 0.0)), r"axis \(1.0, 1.0, 0.0\) has length 1.414"),
        (
            CircumductionCone("c", **BOTH, normal="surfaces"),
            "unknown normal 'surfaces'; did you mean 'surface'",
        ),
        (CircumductionCone("c", **BOTH, damping=-0.1), "damping must not be negative"),
        (
            CircumductionCone("c", **BOTH, limits=Constant(4.0)),
            "limits must lie between 0 and pi, found 4",
        ),
        (CircumductionCone("c", **BOTH, limits=Linear(0.1, 1.0)), "limits differ at longitudes -pi"),
        (
            CircumductionCone("c", **BOTH, law=Expression(lambda a, b: a * b, 2)),
            "take one input, found 2",
        ),
        (
            CircumductionCone("c", **BOTH, normal="gradient", law=NaturalCubicSpline((0.0, 1.0), (0.0, 9.0))),
            "a NaturalCubicSpline has no antiderivative, which 'gradient' needs",
        ),
        (
            CircumductionCone("c", **BOTH, limits=PeriodicCubicSpline((0.0, 1.0, 7.0), (1.0, 1.0, 1.0))),
            "limits: x reaches from 0.0 to 7.0",
        ),
    ],
)
def test_problems_are_named(force, said):
    """Element, finding, what is allowed, the closest match."""
    with pytest.raises(ModelError, match=said):
        tree(force)


def test_names_differ_and_kinds_fit():
    """As for every other section."""
    with pytest.raises(ModelError, match="2 elements have this name"):
        tree(RotationalDamper("d", **BOTH), RotationalDamper("d", **BOTH))
    with pytest.raises(ModelError, match=r"forces\[0\]: must be a Force, found"):
        tree(Pin("j", "ground", "b"))  # type: ignore[arg-type]


def test_files():
    """Every kind survives YAML, and units may be written."""
    model = tree(*(case.force for case in CASES))
    assert read_yaml(write_yaml(model)) == model
    text = write_yaml(tree()) + (
        "forces:\n"
        "  d: {type: rotational_damper, reference: base, body: b, coefficient: 0.5 N m s}\n"
        "  c: {type: circumduction_cone, reference: base, body: b, frame: {angles: [0, 90 deg, 0]},\n"
        "    limits: {type: periodic_cubic_spline, x: [0, 120 deg, 240 deg], y: [35 deg, 25 deg, 20 deg]}}\n"
    )
    damper, cone = read_yaml(text).forces
    assert damper == RotationalDamper("d", "base", "b", 0.5)
    assert isinstance(cone, CircumductionCone) and cone.frame == CircumductionCone("c").frame
    assert cone.limits == PeriodicCubicSpline(
        (0.0, 2 * pi / 3, 4 * pi / 3), tuple(float(np.radians(y)) for y in (35, 25, 20))
    )
    with pytest.raises(ModelError, match="is a length; allowed"):
        read_yaml(text.replace("0.5 N m s", "0.5 m"))


PROMOTED = {
    "across.coefficient": 0.7,
    "spring.stiffness": 30.0,
    "spring.rest": 0.2,
    "gradient.limits.y[2]": 0.2,
    "gradient.law.height": 226.0,
    "gradient.axis[0]": 0.48,
    "gradient.frame.angles[1]": -0.3,
    "damped.damping": 0.6,
}


def test_parameters():
    """Numeric leaves become inputs; derivatives to them are those of differences."""
    model = tree(*(case.force for case in CASES))
    mechanism = cd.compile(model, parameters=tuple(PROMOTED))
    assert mechanism.parameter_defaults == pytest.approx(list(PROMOTED.values()))
    forward = mechanism.function("inverse_dynamics")
    slopes = mechanism.function("inverse_dynamics_derivatives")
    rng = np.random.default_rng(2)
    q, u = sample(rng), rng.uniform(-1, 1, 12)

    def tau(p):
        return forward(q, u, 0, 0, p, 0, 0).full()[:, 0]

    p = mechanism.parameter_defaults
    assert (
        np.abs(
            tau(p) - cd.compile(model).function("inverse_dynamics")(q, u, 0, 0, 0, 0, 0).full()[:, 0]
        ).max()
        < 1e-9
    )
    found = slopes(q, u, 0, 0, p, 0, 0)[3].full()
    for k, value in enumerate(p):
        h = 1e-6 * max(1.0, abs(value))
        step = h * np.eye(len(p))[k]
        slope = (tau(p + step) - tau(p - step)) / (2 * h)
        assert np.abs(slope).max() > 0
        assert found[:, k] == pytest.approx(slope, abs=1e-5 * np.abs(slope).max() + 1e-7)


def test_ball_joints_have_no_springs_at_euler_parameters():
    """But at angles they have."""
    body = arm().bodies[0]
    joint = Ball("hip", "ground", body.name, coordinates="xyz")
    model = cd.Model("m", (body,), (joint,), forces=(CoordinateSpring("s", "hip.x", 2.0, 0.1),))
    q, u = np.array([0.4, 0.3, 0.2]), np.array([1.0, -0.5, 0.7])
    mechanism = cd.compile(model)
    rate = mechanism.function("coordinate_rates")(q, u, 0, 0, 0, 0, 0).full()[0, 0]
    without = cd.compile(cd.Model("m", (body,), (joint,))).function("bias")(q, u, 0, 0, 0, 0, 0)
    power = (without - mechanism.function("bias")(q, u, 0, 0, 0, 0, 0)).full()[:, 0] @ u
    assert power == pytest.approx((-2.0 * 0.4 - 0.1 * rate) * rate, rel=1e-12)
