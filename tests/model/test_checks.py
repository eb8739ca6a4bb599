"""Everything wrong with a description is found at once and named."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from condyle.errors import ModelError
from condyle.functions import Fourier, Linear, NaturalCubicSpline
from condyle.joints import Ball, Coordinate, Custom, Pin, Slider, Universal, Weld
from condyle.model import Body, Frame, Marker, Model
from condyle.spatial import Placement

SOLID = (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)
THIGH = Body("thigh", 8.0, (0.0, -0.2, 0.0), SOLID)
SHANK = Body("shank", 3.0, (0.0, -0.2, 0.0), SOLID)
HIP = Pin("hip", "ground", "thigh")
KNEE = Pin("knee", "thigh", "shank")


def problems(bodies=(THIGH, SHANK), joints=(HIP, KNEE), **others) -> list[str]:
    """Texts of what is found, none for a model that can be built."""
    try:
        Model("leg", bodies, joints, **others)
    except ModelError as error:
        return [str(problem) for problem in error.problems]
    return []


def test_a_sound_model_has_no_problem() -> None:
    """The model that the other tests break is sound."""
    assert problems() == []
    assert problems(markers=(Marker("m", "shank"),), frames=(Frame("f", "ground"),)) == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"bodies": (THIGH, SHANK, SHANK)}, ["bodies.shank: 2 elements have this name"]),
        ({"joints": (HIP, replace(KNEE, name="hip"))}, ["joints.hip: 2 elements have this name"]),
        ({"markers": (Marker("m", "thigh"), Marker("m", "shank"))}, ["markers.m: 2 elements"]),
        ({"joints": (HIP, replace(KNEE, parent="thihg"))}, ["unknown body 'thihg'; did you mean 'thigh'?"]),
        (
            {"markers": (Marker("m", "shnak"),)},
            ["markers.m.body: unknown body 'shnak'; did you mean 'shank'?"],
        ),
        ({"joints": (HIP,)}, ["bodies.shank: no joint has it as child"]),
        (
            {"joints": (HIP, KNEE, Pin("loop", "ground", "shank"))},
            ["is the child of 2 joints ('knee', 'loop')"],
        ),
        (
            {"joints": (HIP, KNEE, Pin("root", "thigh", "ground"))},
            ["joints.root.child: 'ground' cannot be a"],
        ),
        ({"joints": (replace(HIP, parent="shank"), KNEE)}, ["hangs from itself", "away from ground"]),
        ({"joints": (replace(HIP, axis=(0.0, 0.0, 2.0)), KNEE)}, ["joints.hip: axis", "length 2"]),
        ({"joints": (replace(HIP, name=""), KNEE)}, ["joints.0: the name is empty"]),
        ({"joints": (replace(HIP, name="right hip.a"), KNEE)}, ["contains ' ', '.'"]),
        (
            {"bodies": (replace(THIGH, mass=-1.0), SHANK)},
            ["bodies.thigh.mass: must not be negative, found -1"],
        ),
        ({"bodies": (replace(THIGH, mass=math.nan), SHANK)}, ["bodies.thigh.mass: must be a finite number"]),
        ({"bodies": (replace(THIGH, mass="8 kg"), SHANK)}, ["bodies.thigh.mass: must be a finite", "'8 kg'"]),
        ({"bodies": (replace(THIGH, center_of_mass=(0.0, 0.0)), SHANK)}, ["must have 3 entries, found 2"]),
        (
            {"bodies": (replace(THIGH, inertia=(1.0, 2.0, 4.0, 0.0, 0.0, 0.0)), SHANK)},
            ["moments 1, 2, 4", "sum"],
        ),
        ({"bodies": (replace(THIGH, inertia=(1.0, 1.0, 1.0, 1.5, 0.0, 0.0)), SHANK)}, ["-0.5", "negative"]),
        ({"bodies": (replace(THIGH, mass=0.0), SHANK)}, ["bodies.thigh.inertia: inertia", "without mass"]),
        ({"gravity": (0.0, math.inf, 0.0)}, ["gravity[1]: must be a finite number, found inf"]),
        ({"bodies": (THIGH, "shank")}, ["bodies[1]: must be a Body, found 'shank'"]),
        ({"joints": (HIP, replace(KNEE, child=None))}, ["joints[1].child: must be text, found None"]),
        ({"bodies": (THIGH, replace(SHANK, name="ground"))}, ["bodies.ground: has the name of the ground"]),
        (
            {"joints": (HIP, replace(KNEE, coordinates=(Coordinate("angle", 2.0, (0.0, 1.0)),)))},
            ["joints.knee: coordinate 'angle': default 2.0 lies outside its range"],
        ),
        (
            {"joints": (HIP, replace(KNEE, coordinates=(Coordinate("angel"),)))},
            ["no coordinate 'angel'; did you mean 'angle'?"],
        ),
        (
            {"joints": (HIP, replace(KNEE, coordinates=(Coordinate("angle", 0.0, (0.0, math.nan)),)))},
            ["joints.knee.coordinates.angle.range: must be two numbers"],
        ),
    ],
)
def test_a_broken_model_names_the_element(changed: dict, expected: list[str]) -> None:
    """Each defect gives one problem that names the element, what was found and what is allowed."""
    found = "\n".join(problems(**changed))
    assert all(text in found for text in expected), found


def test_all_problems_are_listed_at_once() -> None:
    """Independent defects do not hide each other."""
    found = problems(
        bodies=(replace(THIGH, mass=-1.0), replace(SHANK, inertia=(1.0, 2.0, 4.0, 0.0, 0.0, 0.0))),
        joints=(replace(HIP, axis=(0.0, 0.0, 2.0)), replace(KNEE, parent="thihg")),
        markers=(Marker("m", "foot"),),
        gravity=(0.0, math.nan, 0.0),
    )
    assert len(found) == 6, found


def test_numbers_arrive_as_tuples_of_floats() -> None:
    """Lists, arrays and whole numbers make the model that tuples of floats make."""
    loose = replace(THIGH, mass=8, center_of_mass=[0, -0.2, 0], inertia=np.array(SOLID))
    model = Model(
        "leg", [loose, SHANK], [replace(HIP, axis=np.array([0, 0, 1])), KNEE], gravity=[0, -9.80665, 0]
    )
    assert model == Model("leg", (THIGH, SHANK), (HIP, KNEE))
    assert type(model.bodies[0].mass) is float and type(model.joints[0].axis[0]) is float
    assert hash(model) == hash(Model("leg", (THIGH, SHANK), (HIP, KNEE)))


def test_loop_of_three_is_shown_once() -> None:
    """A loop is one problem that lists its bodies from parent to child."""
    bodies = tuple(Body(name, 1.0, (0.0, 0.0, 0.0), SOLID) for name in "abc")
    joints = (Pin("1", "a", "b"), Pin("2", "b", "c"), Pin("3", "c", "a"))
    (found,) = problems(bodies, joints)
    assert "a -> b -> c -> a" in found or "b -> c -> a -> b" in found or "c -> a -> b -> c" in found


def rolling(radius: float) -> Custom:
    """A turn about z with the translation radius (cos, sin)."""
    return Custom(
        "hip",
        "ground",
        "thigh",
        coordinates=("angle",),
        rz=Linear(),
        tx=Fourier(2.0 * math.pi, (1,), cosines=(radius,)),
        ty=Fourier(2.0 * math.pi, (1,), sines=(radius,)),
    )


def rod(tilt: float) -> Body:
    """A rod along z of the body, turned by `tilt` about x."""
    s, c = math.sin(tilt), math.cos(tilt)
    return Body(
        "thigh", 1.0, (0.0, -0.5 * s, 0.5 * c), (0.1, 0.1 * c * c, 0.1 * s * s, 0.0, 0.0, 0.1 * s * c)
    )


MASSLESS = Body("thigh")
POINT_MASS = Body("thigh", 2.0)


@pytest.mark.parametrize(
    ("bodies", "joints", "named"),
    [
        ((MASSLESS,), (HIP,), "bodies.thigh: massless, yet joint 'hip'"),
        (
            (MASSLESS, Body("shank")),
            (HIP, Weld("knee", "thigh", "shank")),
            "bodies.thigh: massless and all that",
        ),
        ((THIGH, Body("shank")), (HIP, KNEE), "bodies.shank: massless, yet joint 'knee'"),
        ((POINT_MASS,), (HIP,), "bodies.thigh: its mass does not resist every motion of joint 'hip'"),
        ((replace(POINT_MASS, center_of_mass=(0.0, 1.0, 0.0)),), (HIP,), None),
        ((replace(POINT_MASS, center_of_mass=(0.0, 1.0, 0.0)),), (Ball("hip", "ground", "thigh"),), "resist"),
        ((POINT_MASS,), (Slider("hip", "ground", "thigh"),), None),
        ((MASSLESS, SHANK), (HIP, KNEE), None),
        ((MASSLESS, SHANK), (HIP, Weld("knee", "thigh", "shank")), None),
        (
            (MASSLESS, replace(POINT_MASS, name="shank", center_of_mass=(0.0, 0.0, 1.0))),
            (Pin("hip", "ground", "thigh"), Weld("knee", "thigh", "shank")),
            "bodies.thigh: its mass does not resist",
        ),
        (
            (MASSLESS,),
            (Pin("hip", "ground", "thigh", coordinates=(Coordinate("angle", locked=True),)),),
            None,
        ),
        ((MASSLESS,), (Weld("hip", "ground", "thigh"),), None),
    ],
)
def test_motion_without_mass_names_the_body(bodies: tuple, joints: tuple, named: str | None) -> None:
    """A massless body is fine on a weld or with mass beyond it, and named where nothing resists."""
    found = problems(bodies, joints)
    assert (found == []) if named is None else (len(found) == 1 and named in found[0]), found


def test_rod_on_its_own_axis_is_named() -> None:
    """A rod without inertia about its axis does not resist a pin along that axis, wherever the frames are."""
    rod = Body("thigh", 1.0, (0.0, -0.5, 0.0), (0.1, 0.0, 0.1, 0.0, 0.0, 0.0))
    assert problems((rod,), (replace(HIP, axis=(1.0, 0.0, 0.0)),)) == []
    (found,) = problems((rod,), (replace(HIP, axis=(0.0, 1.0, 0.0)),))
    assert "does not resist" in found


QUARTER = math.pi / 2
ROD = Body("thigh", 1.0, (0.0, -0.5, 0.0), (0.1, 0.0, 0.1, 0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("bodies", "joints", "sound"),
    [
        # The axis of the pin is z of B; the child frame turns it onto the rod, or leaves it across.
        ((ROD,), (replace(HIP, child_frame=Placement(angles=(QUARTER, 0.0, 0.0))),), False),
        ((ROD,), (replace(HIP, child_frame=Placement((0.1, 0.0, 0.0), (QUARTER, 0.0, 0.0))),), True),
        ((ROD,), (replace(HIP, child_frame=Placement(angles=(0.0, QUARTER, 0.0))),), True),
        ((rod(0.5),), (replace(HIP, child_frame=Placement(angles=(0.5, 0.0, 0.0))),), False),
        ((rod(-0.5),), (replace(HIP, child_frame=Placement(angles=(0.5, 0.0, 0.0))),), True),
        # The second axis of a universal joint stays on the rod in every pose; the first does not.
        ((ROD,), (Universal("hip", "ground", "thigh", sequence="xy"),), False),
        ((ROD,), (Universal("hip", "ground", "thigh", sequence="xz"),), True),
        # A rod welded on turns with the body; whether its axis is the pin's is a matter of the weld's frames.
        (
            (MASSLESS, replace(ROD, name="shank")),
            (HIP, Weld("knee", "thigh", "shank", Placement(angles=(QUARTER, 0.0, 0.0)))),
            False,
        ),
        ((MASSLESS, replace(ROD, name="shank")), (HIP, Weld("knee", "thigh", "shank")), True),
        # B rolls so that the point mass at (0.2, 0, 0) of B stays where it is.
        ((replace(POINT_MASS, center_of_mass=(0.2, 0.0, 0.0)),), (rolling(-0.2),), False),
        ((replace(POINT_MASS, center_of_mass=(0.2, 0.0, 0.0)),), (rolling(0.2),), True),
    ],
)
def test_resistance_is_judged_in_the_right_frames(bodies: tuple, joints: tuple, sound: bool) -> None:
    """Frames of joints and welds, and the joint's own rotation, decide which axis mass lies on."""
    found = problems(bodies, joints)
    assert (found == []) is sound and all("does not resist" in problem for problem in found), found


def test_a_default_outside_the_data_is_named() -> None:
    """The data may end where the coordinate's range goes on, but not before the default pose."""
    spline = NaturalCubicSpline((0.0, 1.0, 2.0), (0.0, 0.1, 0.0))
    custom = Custom("knee", "thigh", "shank", coordinates=(Coordinate("bend", -0.5),), rz=Linear(), tx=spline)
    (found,) = problems(joints=(HIP, custom))
    assert (
        found
        == "joints.knee: default -0.5 of 'bend' is an extrapolation: the data of its function cover 0 to 2"
    )
    assert problems(joints=(HIP, replace(custom, coordinates=(Coordinate("bend", 0.5, (-1.0, 3.0)),)))) == []


def test_a_long_chain_is_checked_without_recursion() -> None:
    """300 links with one massless body each need neither a deep stack nor quadratic time."""
    bodies, joints, parent = [], [], "ground"
    for index in range(300):
        bodies += [Body(f"a{index}"), Body(f"b{index}", 1.0, (0.0, 1.0, 0.0), SOLID)]
        joints += [
            Pin(f"p{index}", parent, f"a{index}"),
            Pin(f"q{index}", f"a{index}", f"b{index}", axis=(1.0, 0.0, 0.0)),
        ]
        parent = f"b{index}"
    assert problems(bodies, joints) == []
