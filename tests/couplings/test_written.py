"""Couplings in files: equations in functions that text can say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.couplings import FiniteDifference, Implicit, Projection
from condyle.errors import ModelError
from condyle.studies import four_bar
from condyle.studies.loop_equations import FOUR_BAR_ANGLES, HEIGHT, coupled_four_bar, four_bar_equations

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "four_bar.yaml"
LOOP = ("loop", FOUR_BAR_ANGLES, (HEIGHT,), four_bar_equations(), four_bar.NEAR)


@pytest.mark.parametrize("kind", [Implicit, Projection, FiniteDifference])
def test_round_trip(kind: type) -> None:
    model = coupled_four_bar(kind(*LOOP), four_bar.NEAR)
    text = cd.write_yaml(model)
    assert "type: multivariate_fourier" in text
    assert cd.read_yaml(text) == model


def test_example_of_the_page() -> None:
    """The paper's four-bar as a file is the study's."""
    model = cd.read_yaml(EXAMPLE)
    (read,) = model.couplings
    wanted = Implicit(*LOOP)
    for q in ([0.0], [1.2]):
        assert np.allclose(read.hessian(q), wanted.hessian(q), rtol=1e-12)


def test_wrong_number_of_inputs_is_named() -> None:
    text = EXAMPLE.read_text().replace("harmonics: [[0, 1, 0, 0], [0, 1, 1, 0]]", "harmonics: [[1], [2]]")
    with pytest.raises(ModelError, match="harmonics"):
        cd.read_yaml(text)
