"""Every kind of constraint that text can say survives being written and read, units and all."""

from __future__ import annotations

import math

import pytest

from condyle.constraints import Constraint, FunctionOfJoint, Universal
from condyle.errors import ModelError
from condyle.io import read_yaml, write_yaml
from condyle.io.yaml.form import kinds

from ..constraints.cases import CASES, tree

SAYABLE = [case for case in CASES if type(case) in kinds(Constraint).values() and "torus" not in case.name]


@pytest.mark.parametrize("constraint", SAYABLE, ids=lambda case: f"{type(case).__name__}-{case.name}")
def test_every_kind_survives(constraint) -> None:
    model = tree(constraint)
    assert read_yaml(write_yaml(model)).constraints == (constraint,)


BODIES = """condyle: 1
name: m
bodies:
  leg: {mass: 1 kg, inertia: [1, 1, 1, 0, 0, 0]}
  foot: {mass: 1 kg, inertia: [1, 1, 1, 0, 0, 0]}
joints:
  leg: {type: free, parent: ground, child: leg}
  foot: {type: free, parent: ground, child: foot}
constraints:
  ankle:
"""


def test_angle_takes_degrees() -> None:
    text = BODIES + "    {type: universal, body_a: leg, body_b: foot, point_a: [1 cm, 0, 0], angle: 60 deg}\n"
    (ankle,) = read_yaml(text).constraints
    assert isinstance(ankle, Universal)
    assert ankle.angle == pytest.approx(math.pi / 3, rel=1e-15)
    assert ankle.point_a == (0.01, 0.0, 0.0)


def test_function_of_a_joint_by_hand() -> None:
    guide = "{type: polynomial, coefficients: [0.1, 0.5]}"
    names = "type: function_of_joint, reference: ground, driver: leg, body: foot"
    (patella,) = read_yaml(BODIES + f"    {{{names}, angle: {guide}}}\n").constraints
    assert isinstance(patella, FunctionOfJoint)
    assert (patella.size, patella.position) == (1, ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "type: modified_universal, body_a: leg, body_b: foot, length: 0",
            "the classical joint, a universal",
        ),
        ("type: modified_universal, body_a: leg, body_b: foot, length: 3 deg", "3 deg"),
        ("type: function_of_joint, reference: leg, driver: leg, body: foot", "three different bodies"),
        ("type: universel, body_a: leg, body_b: foot", "universal"),
        ("type: revolute, body_a: leg, body_b: fot", "foot"),
    ],
)
def test_bad_constraints_are_named(text: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_yaml(BODIES + f"    {{{text}}}\n")
    assert "ankle" in str(caught.value)
    assert words in str(caught.value)
