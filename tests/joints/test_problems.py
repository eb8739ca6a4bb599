"""What a joint says about its own numbers."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from condyle.functions import Constant, Linear, Polynomial, SIMMSpline
from condyle.joints import (
    Ball,
    Coordinate,
    CurvedTube,
    Custom,
    Cylindrical,
    Ellipsoid,
    Free,
    Gimbal,
    Pin,
    Planar,
    Reversed,
    Screw,
    Slider,
    Universal,
)
from condyle.spatial import Placement

from .cases import KNEE, KNEE_X, KNEE_Y

WHO = ("j", "p", "b")
ONE = (Coordinate("a"),)
Z = (0.0, 0.0, 1.0)

WRONG = {
    "axis_length": (Pin(*WHO, axis=(0.0, 0.0, 2.0)), ["length 2, not 1", "(0.0, 0.0, 1.0)"]),
    "axis_zero": (Slider(*WHO, axis=(0.0, 0.0, 0.0)), ["zero vector"]),
    "axis_nan": (Cylindrical(*WHO, axis=(0.0, nan, 1.0)), ["three finite numbers"]),
    "axis_word": (Pin(*WHO, axis="z"), ["(0, 0, 1)", "'z'"]),
    "axis_short": (Pin(*WHO, axis=(0.0, 1.0)), ["three numbers"]),
    "pitch": (Screw(*WHO, pitch=inf), ["pitch", "finite"]),
    "pitch_word": (Screw(*WHO, pitch="steep"), ["pitch", "'steep'"]),
    "sequence_repeats": (Gimbal(*WHO, sequence="xxz"), ["'xxz'", "neighbours must differ"]),
    "sequence_letters": (Gimbal(*WHO, sequence="xyw"), ["3 letters out of x, y, z", "'xyw'"]),
    "sequence_length": (Universal(*WHO, sequence="xyz"), ["2 letters", "'xyz'"]),
    "orientation": (Ball(*WHO, coordinates="euler_parameter"), ["did you mean 'euler_parameters'"]),
    "radius": (Ellipsoid(*WHO, radii=(0.1, -0.2, 0.3)), ["radius along y", "positive", "-0.2"]),
    "radii_count": (Ellipsoid(*WHO, radii=(0.1, 0.2)), ["three lengths"]),
    "reading": (Ellipsoid(*WHO, normal="seht"), ["did you mean 'seth'"]),
    "frame": (Pin(*WHO, Placement((nan, 0.0, 0.0))), ["parent_frame", "translation", "finite"]),
    "child_frame": (Pin(*WHO, child_frame=Placement(sequence="xy")), ["child_frame", "'xy'"]),
    "coordinate_name": (Pin(*WHO, coordinates=(Coordinate("angel"),)), ["'angel'", "did you mean 'angle'"]),
    "coordinate_twice": (Planar(*WHO, coordinates=("px", "px")), ["'px'", "2 times"]),
    "range": (
        Pin(*WHO, coordinates=(Coordinate("angle", 0.0, (1.0, -1.0)),)),
        ["range (1.0, -1.0) is empty"],
    ),
    "range_nan": (Pin(*WHO, coordinates=(Coordinate("angle", 0.0, (nan, 1.0)),)), ["range (nan, 1.0)"]),
    "default": (Pin(*WHO, coordinates=(Coordinate("angle", 2.0, (-1.0, 1.0)),)), ["default 2.0", "outside"]),
    "default_nan": (Pin(*WHO, coordinates=(Coordinate("angle", nan),)), ["default", "finite"]),
    "locked": (Ball(*WHO, coordinates=(Coordinate("e1", locked=True),)), ["'e1'", "cannot be locked"]),
    "length": (Free(*WHO, coordinates=(Coordinate("e1", 1.0),)), ["(1.0, 1.0, 0.0, 0.0)", "length 1"]),
    "tube_radius": (CurvedTube(*WHO, radius=0.0), ["radius", "positive"]),
    "tube_section": (CurvedTube(*WHO, section="normal"), ["section 'normal'", "'perpendicular', 'fixed'"]),
    "tube_orientation": (CurvedTube(*WHO, orientation="surfaces"), ["did you mean 'surface'"]),
    "tube_reference": (CurvedTube(*WHO, reference=(1.0, 1.0, 0.0)), ["reference", "length 1.414"]),
    "tube_function": (CurvedTube(*WHO, axis_y=SIMMSpline((0.0, 0.0), (1.0, 1.0))), ["axis_y: ", "increase"]),
    "none": (Custom(*WHO, rz=Linear()), ["1 to 6 coordinates, found 0"]),
    "seven": (
        Custom(*WHO, coordinates=tuple("abcdefg"), rz=Linear(), inputs={"rz": "c"}),
        ["1 to 6 coordinates, found 7"],
    ),
    "input": (
        Custom(*WHO, coordinates=("angle",), rz=Linear(), inputs={"rz": ("angel",)}),
        ["did you mean 'angle'"],
    ),
    "count": (
        Custom(*WHO, coordinates=("a", "c"), rz=Linear()),
        ["rz: Linear takes 1 input, not 2", "`inputs`"],
    ),
    "entries": (Custom(*WHO, coordinates=ONE, rz=Linear(), inputs=(("a",),)), ["six entries", "found 1"]),
    "function": (Custom(*WHO, coordinates=ONE, tx=SIMMSpline((0.0, 1.0), (0.0,))), ["tx: x has 2 entries"]),
    "custom_axis": (
        Custom(*WHO, coordinates=ONE, ty=Linear(), translation_axes=((1, 0, 0), (0, 3, 0), Z)),
        ["axis of ty", "length 3"],
    ),
    "idle": (
        Custom(*WHO, coordinates=("a", "c"), rx=Linear(), inputs={"rx": ("a",)}),
        ["coordinate 'c' moves nothing"],
    ),
    "parallel": (
        Custom(
            *WHO,
            coordinates=("a", "c"),
            rx=Linear(),
            ry=Linear(),
            inputs={"rx": ("a",), "ry": ("c",)},
            rotation_axes=(Z, (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)),
        ),
        ["2 coordinates give only 1 independent motions", "parallel neighbouring rotation axes"],
    ),
    "dependent": (
        Custom(
            *WHO,
            coordinates=("a", "c", "d"),
            tx=Linear(),
            ty=Linear(),
            tz=Linear(),
            inputs={"tx": ("a",), "ty": ("c",), "tz": ("d",)},
            translation_axes=(Z, (1.0, 0.0, 0.0), (0.6, 0.0, 0.8)),
        ),
        ["3 coordinates give only 2 independent motions", "translation axes in one plane"],
    ),
}


@pytest.mark.parametrize("turned", [False, True], ids=["", "reversed"])
@pytest.mark.parametrize("name", WRONG)
def test_problem_is_named(name, turned):
    """One sentence says what was found and what is allowed, reversed or not."""
    joint, expected = WRONG[name]
    found = (Reversed(joint) if turned else joint).problems()
    assert len(found) == 1
    # A reversed joint's parent frame is the child frame of the joint inside.
    swap = {"parent_frame": "child_frame", "child_frame": "parent_frame"} if turned else {}
    for part in expected:
        assert swap.get(part, part) in found[0]


def test_all_problems_at_once():
    """Nothing is hidden behind the first finding."""
    joint = Screw(
        *WHO, axis=(0.0, 0.0, 3.0), pitch=nan, coordinates=("turn", Coordinate("angle", 9.0, (0.0, 1.0)))
    )
    assert len(joint.problems()) == 4


def test_unknown_function_name_in_inputs():
    """Inputs for a function that does not exist are refused where they are given."""
    with pytest.raises(ValueError, match="inputs of 'r1'"):
        Custom(*WHO, coordinates=("a",), rz=Linear(), inputs={"r1": ("a",)})


def test_harmless_parallels_pass():
    """Axes that no freedom depends on may be parallel: unused ones, and the outer two of z-x-z."""
    unused = ((0.0, 0.0, 1.0),) * 3
    assert Custom(*WHO, coordinates=("a",), rx=Linear(), rotation_axes=unused).problems() == []
    euler = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    inputs = {"rx": ("a",), "ry": ("c",), "rz": ("d",)}
    turns = {"rx": Linear(), "ry": Linear(), "rz": Linear()}
    assert (
        Custom(*WHO, coordinates=("a", "c", "d"), inputs=inputs, rotation_axes=euler, **turns).problems()
        == []
    )


def test_data_range_is_what_all_functions_cover():
    """The range of a coordinate that spline data cover; None where formulas are defined everywhere."""
    assert KNEE.data_range(0) == (KNEE_X.x[0], KNEE_Y.x[-1]) == (-2.0944, 2.0944)
    narrow, wide = (
        SIMMSpline((-1.0, 0.0, 2.0), (0.0, 1.0, 0.0)),
        SIMMSpline((-2.0, 0.0, 1.5), (0.0, 1.0, 0.0)),
    )
    joint = Custom(
        *WHO, coordinates=("a", "c"), tx=narrow, ty=wide, rx=wide, inputs={"tx": "a", "ty": "a", "rx": "c"}
    )
    assert joint.data_range(0) == (-1.0, 1.5)
    assert joint.data_range(1) == (-2.0, 1.5)
    assert Reversed(joint).data_range(0) == (-1.0, 1.5)
    assert Pin(*WHO).data_range(0) is None
    tube = CurvedTube(*WHO, axis_y=narrow, axis_z=Polynomial((0.0, 1.0)))
    assert tube.data_range(0) == (-1.0, 2.0)
    assert tube.data_range(1) is None


def test_lists_and_arrays_are_taken():
    """Vectors may be given as lists or arrays; a joint still compares and hashes."""
    expected = Pin(*WHO, axis=(0.6, 0.0, 0.8))
    for axis in ([0.6, 0.0, 0.8], np.array([0.6, 0.0, 0.8])):
        assert Pin(*WHO, axis=axis) == expected
        assert hash(Pin(*WHO, axis=axis)) == hash(expected)


def test_defaults_and_overrides():
    """What `coordinates` does not mention keeps the joint's own default."""
    free = Free(*WHO, coordinates=(Coordinate("py", 0.9),))
    assert [free.coordinate(k).default for k in range(7)] == [1, 0, 0, 0, 0, 0.9, 0]
    assert Ball(*WHO, coordinates="xyz") == Ball(*WHO, orientation="xyz")
    assert Ball(*WHO).coordinate_defaults == (1, 0, 0, 0)
    custom = Custom(*WHO, coordinates=(Coordinate("a", 0.3),), rz=Linear(), tx=Constant(0.1))
    assert custom.coordinate_names == ("a",)
    assert custom.coordinate(0).default == 0.3
