"""JSON of the commands is strict, versioned and complete."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from condyle.errors import InputError
from condyle.io import json_text
from condyle.spatial import Placement
from condyle.status import Status


def test_arrays_numbers_and_records_become_plain_json() -> None:
    """Arrays, NumPy scalars, enumerations and dataclasses come back as lists, numbers, words and maps."""
    result = {
        "schema_version": 1,
        "array": np.array([[1.0, 2.0], [0.1, -0.0]]),
        "scalar": np.float64(0.1),
        "count": np.int32(3),
        "flag": np.bool_(True),
        "status": Status.SINGULAR,
        "placement": Placement((1.0, 2.0, 3.0)),
        "nothing": None,
    }
    back = json.loads(json_text(result))
    assert back["array"] == [[1.0, 2.0], [0.1, 0.0]]
    assert (back["scalar"], back["count"], back["flag"]) == (0.1, 3, True)
    assert back["status"] == "SINGULAR"
    assert back["placement"]["translation"] == [1.0, 2.0, 3.0]
    assert back["nothing"] is None


def test_every_number_without_a_value_is_named() -> None:
    """NaN and infinity are refused with the keys at which they stand, all of them."""
    result = {"schema_version": 1, "figures": {"error": math.nan, "list": np.array([0.0, math.inf])}}
    with pytest.raises(InputError) as caught:
        json_text(result)
    assert "figures.error: nan" in str(caught.value)
    assert "figures.list[1]: inf" in str(caught.value)


def test_null_on_request() -> None:
    """`nan="null"` writes null, and the text stays strict."""
    text = json_text({"schema_version": 1, "x": [math.nan, 1.0]}, nan="null")
    assert json.loads(text, parse_constant=lambda word: pytest.fail(word))["x"] == [None, 1.0]


@pytest.mark.parametrize("version", [None, "1", True, 1.0])
def test_version_is_required(version: object) -> None:
    """A result without a whole number as schema_version is refused."""
    with pytest.raises(InputError, match="schema_version"):
        json_text({"schema_version": version})


def test_what_json_cannot_say_is_named() -> None:
    """A foreign object, a key that is no text and endless nesting are errors with a path."""
    with pytest.raises(InputError, match=r"a\.b\[0\]: a object has no JSON form"):
        json_text({"schema_version": 1, "a": {"b": [object()]}})
    with pytest.raises(InputError, match="key 1 is not text"):
        json_text({"schema_version": 1, "a": {1: 2}})
    endless: list = []
    endless.append(endless)
    with pytest.raises(InputError, match="nested"):
        json_text({"schema_version": 1, "a": endless})
