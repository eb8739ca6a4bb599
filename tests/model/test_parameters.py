"""Numeric leaves are found by name and replaced by symbols."""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca
import pytest

from condyle.constraints import Configuration, Constraint
from condyle.errors import ModelError
from condyle.functions import Linear
from condyle.joints import Custom, Pin, Reversed
from condyle.model import Body, Marker, Model
from condyle.model.parameters import leaves, promote, resolve
from condyle.spatial import Placement

SOLID = (0.1, 0.2, 0.25, 0.01, 0.02, 0.03)
MODEL = Model(
    "leg",
    (Body("thigh", 8.0, (0.0, -0.2, 0.0), SOLID), Body("shank", 3.0, (0.0, -0.1, 0.0), SOLID)),
    (
        Reversed(Pin("hip", "thigh", "ground", Placement((1.0, 2.0, 3.0)))),
        Custom("knee", "thigh", "shank", coordinates=("angle",), rz=Linear(), tx=Linear(0.5, 0.25)),
    ),
    markers=(Marker("heel", "shank", (0.1, 0.2, 0.3)),),
)


def test_leaves_have_readable_paths_and_their_values() -> None:
    """Masses, vectors, frames, axes, function numbers, markers and gravity are leaves."""
    found = leaves(MODEL)
    expected = {
        "thigh.mass": 8.0,
        "thigh.center_of_mass[1]": -0.2,
        "thigh.inertia[3]": 0.01,
        "hip.axis[2]": 1.0,
        "hip.parent_frame.translation[1]": 2.0,
        "knee.tx.slope": 0.5,
        "knee.rotation_axes[0][0]": 1.0,
        "heel.position[2]": 0.3,
        "gravity[1]": -9.80665,
    }
    assert {path: found[path] for path in expected} == expected
    assert all(type(value) is float for value in found.values())


def test_defaults_words_and_whole_numbers_are_no_leaves() -> None:
    """What shapes the description is not offered."""
    assert not [
        path for path in leaves(MODEL) if "coordinates" in path or "name" in path or "sequence" in path
    ]


def test_promoted_leaf_becomes_the_symbol_and_nothing_else_changes() -> None:
    """Each leaf in turn: exactly that one differs, and the original is untouched."""
    before = leaves(MODEL)
    for path in before:
        symbol = ca.SX.sym("p")
        changed = promote(MODEL, {path: symbol})
        assert {**before} == {**leaves(changed), path: before[path]}
        assert path not in leaves(changed)
    assert leaves(MODEL) == before


def test_symbol_reaches_the_joint_inside_a_reversed_one() -> None:
    """A reversed joint and its copies of the frames take the promoted number."""
    symbol = ca.SX.sym("p")
    joint = promote(MODEL, {"hip.parent_frame.translation.y": symbol}).joints[0]
    assert joint.child_frame.translation[1] is symbol
    assert joint.joint.parent_frame.translation[1] is symbol


def test_other_spellings_are_accepted() -> None:
    """Letters for components, and the section in front."""
    spellings = ("thigh.center_of_mass.x", "thigh.inertia.yz", "joints.hip.axis.z", "gravity.y")
    assert tuple(resolve(MODEL, spellings).values()) == (
        "thigh.center_of_mass[0]",
        "thigh.inertia[5]",
        "hip.axis[2]",
        "gravity[1]",
    )


def test_unknown_and_repeated_paths_are_all_named() -> None:
    """Every wrong path is reported with the closest leaf."""
    with pytest.raises(ModelError) as caught:
        promote(
            MODEL, {name: ca.SX.sym("p") for name in ("thigh.mas", "shin.mass", "gravity[1]", "gravity.y")}
        )
    text = str(caught.value)
    assert len(caught.value.problems) == 3
    assert "thigh.mas: no such number in the model; did you mean 'thigh.mass'?" in text
    assert "gravity.y: is named twice" in text


@dataclass(frozen=True)
class Aligned(Constraint):
    """A constraint with a leaf that a joint has too."""

    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)

    @property
    def size(self) -> int:
        return 1

    def residual(self, configuration: Configuration) -> ca.SX:
        return configuration.pose("thigh").R[0, 0] - self.axis[0]


def test_elements_of_two_kinds_with_one_name_are_told_apart() -> None:
    """A joint and a constraint called alike, both with an axis: the later one carries its section."""
    model = replace(MODEL, constraints=(Aligned("hip"),))
    found = leaves(model)
    assert found["hip.axis[0]"] == 0.0
    assert found["constraints.hip.axis[0]"] == 1.0
    symbol = ca.SX.sym("p")
    changed = promote(model, {"constraints.hip.axis[0]": symbol})
    assert changed.constraints[0].axis[0] is symbol
    assert changed.joints == model.joints
