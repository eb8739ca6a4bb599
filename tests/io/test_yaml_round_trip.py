"""A model survives being written to YAML and read back."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from condyle.io import read_yaml, write_yaml

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
