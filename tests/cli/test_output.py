"""Strict JSON and short text."""

import json

import numpy as np

from condyle.cli.output import cell, flatten, print_json


def test_json_is_strict(capsys):
    """NaN and infinity become null, arrays lists, NumPy scalars numbers; a strict reader takes it."""
    value = {"a": np.array([1.0, np.nan]), "b": np.float64("inf"), "c": (np.int64(2), np.True_), "d": None}
    print_json({"schema_version": 1, **value})

    def refuse(text):
        raise AssertionError(text)

    parsed = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert parsed == {"schema_version": 1, "a": [1.0, None], "b": None, "c": [2, True], "d": None}


def test_cells_and_rows():
    """Numbers keep six digits, long lists their shape; nested figures become dotted names."""
    assert cell([1 / 3, None, "x", float("inf")]) == "(0.333333, -, x, inf)"
    assert cell({"a": 1e-14, "b": np.array([2.0])}) == "a 1e-14, b (2)"
    assert cell(np.zeros((24, 3))) == "24 x 3 values"
    assert cell([]) == "()"
    assert flatten({"a": {"b": {"c": 1}}, "d": 2}) == [("a.b.c", 1), ("d", 2)]
