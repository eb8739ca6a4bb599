"""A model survives being written to YAML and read back."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from condyle.errors import InputError
from condyle.functions import (
    Constant,
    Expression,
    Fourier,
    Linear,
    MultivariatePolynomial,
    Polynomial,
    Scaled,
)
from condyle.io import read_yaml, write_yaml
from condyle.joints import Custom, Joint, Pin, Weld
from condyle.model import Body, Marker, Model

EXAMPLES = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_write_then_read_gives_the_equal_model(path: Path) -> None:
    """write_yaml and read_yaml are inverse, to the last bit of every number."""
    model = read_yaml(path)
    text = write_yaml(model)
    assert text.startswith("condyle: 1\n")
    assert read_yaml(text) == model


def test_units_become_si() -> None:
    """Units are converted with the rounding of one division, not of two."""
    model = read_yaml(EXAMPLES[0].with_name("pendulum.yaml"))
    assert model.bodies[0].mass == 3.0
    assert model.bodies[0].center_of_mass == (0.0, -0.25, 0.0)
    assert model.joints[0].coordinate(0).default == pytest.approx(math.pi / 6, rel=1e-15)
    assert model.markers[0].position == (0.0, -0.5, 0.0)


finite = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(st.characters(exclude_categories=["Cs", "Z", "C"], exclude_characters=".[]"), min_size=1)


@given(names, names, st.tuples(finite, finite, finite))
@example("a", "b", (-0.0, 0.0, 0.0))
@example("on", "1", (-0.0, 5e-324, 1.7976931348623157e308))
@example("null", "1e3", (0.1, 1e16, 1e-7))
@example("#a", "a:", (1.0, 2.0, 3.0))
@example("- b", "{", (1.0, 2.0, 3.0))
@example('"\\', "'", (1.0, 2.0, 3.0))
@example("é\U0001f600", "true", (1.0, 2.0, 3.0))
def test_any_name_and_any_number_survive(
    body: str, marker: str, position: tuple[float, float, float]
) -> None:
    """Words that YAML reads otherwise are quoted, and every double returns exactly, the sign of zero too."""
    body = body.replace(" ", "_")
    if body == "ground":
        return
    model = Model(
        f"{body} {marker}",
        (Body(body),),
        (Weld("w", "ground", body),),
        markers=(Marker(marker, body, position),),
    )
    back = read_yaml(write_yaml(model))
    assert back == model
    assert [repr(value) for value in back.markers[0].position] == [repr(value) for value in position]


@pytest.mark.parametrize(
    "function",
    [
        Constant(0.25),
        Polynomial((0.1, 0.2, 0.3)),
        Scaled(Linear(2.0, 1.0), 0.5),
        Fourier(2.0, (1, 3), (0.1, 0.2), (0.3, 0.4), 0.5),
    ],
    ids=lambda function: type(function).__name__,
)
def test_functions_inside_joints_survive(function) -> None:
    """Nested functions and whole numbers return as they were."""
    joint = Custom("j", "ground", "b", coordinates=("a",), rz=Linear(), tx=function)
    assert read_yaml(write_yaml(one_joint(joint))).joints[0].tx == function


def test_functions_of_two_coordinates_survive() -> None:
    """Lists of lists of whole numbers, and of words."""
    surface = MultivariatePolynomial(((1, 0), (0, 2)), (0.5, 0.25))
    inputs = (("a",), (), ("b",), ("b", "a"), (), ())
    joint = Custom(
        "j", "ground", "b", coordinates=("a", "b"), rx=Linear(), rz=Linear(), tx=surface, inputs=inputs
    )
    assert read_yaml(write_yaml(one_joint(joint))).joints == (joint,)


def test_what_text_cannot_say_is_named() -> None:
    """A Python formula cannot be written; the error says in which joint."""
    joint = Custom("j", "ground", "b", coordinates=("a",), rz=Linear(), tx=Expression(lambda x: x * x))
    with pytest.raises(InputError, match=r"joints\.j\.tx: an Expression holds a formula in Python"):
        write_yaml(one_joint(joint))


def test_the_file_is_written_whole(tmp_path: Path) -> None:
    """With a path the text is also a file, and says the same."""
    model = one_joint(Pin("j", "ground", "b"))
    text = write_yaml(model, tmp_path / "model.yaml")
    assert (tmp_path / "model.yaml").read_text(encoding="utf-8") == text
    assert read_yaml(tmp_path / "model.yaml") == model


def one_joint(joint: Joint) -> Model:
    """A body with inertia on the joint."""
    return Model("m", (Body("b", 1.0, (0.1, 0.2, 0.3), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)),), (joint,))
