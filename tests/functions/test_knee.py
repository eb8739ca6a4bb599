"""The knee splines of OpenSim models, against values that OpenSim computed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from condyle.functions import SIMMSpline

FILES = ("knee_gait10dof18musc", "knee_gait2354_delp1990", "knee_gait2392", "knee_rajagopal2016_walker")


def tabulated(tree: Any) -> Iterator[tuple[SIMMSpline, float, np.ndarray]]:
    """Every axis with a SIMM spline and values: the spline, its scale, rows of (x, y, y', y'')."""
    if isinstance(tree, list):
        for item in tree:
            yield from tabulated(item)
    elif isinstance(tree, dict):
        function = tree.get("function")
        if isinstance(function, dict) and function["type"] == "SimmSpline" and "eval_x_value_d1_d2" in tree:
            yield (
                SIMMSpline(function["x"], function["y"]),
                function["scale"],
                np.array(tree["eval_x_value_d1_d2"]),
            )
        for item in tree.values():
            yield from tabulated(item)


@pytest.mark.parametrize("name", FILES)
def test_values_and_derivatives_equal_opensim(data_folder: Path, name: str) -> None:
    """Value, slope and curvature agree to 1e-12, far outside the points too."""
    path = data_folder / "knee" / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    splines = list(tabulated(json.loads(path.read_text())))
    assert splines
    for spline, scale, table in splines:
        for order in range(3):
            expected = table[:, 1 + order]
            found = scale * spline.evaluate(table[:, 0], order=order)
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
