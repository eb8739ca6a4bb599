"""The surface study: what its checks measure."""

from __future__ import annotations

import numpy as np
import pytest

from condyle.studies import surface


def test_tangential_part_is_measured():
    """A force that leans from the normal by an angle has the sine of it as tangential part."""
    normal = np.array([[0.0, 0.0, 2.0]])
    leaning = np.array([[np.sin(0.01), 0.0, -np.cos(0.01)]])
    assert surface._off_normal(5 * leaning, normal) == pytest.approx(np.sin(0.01), rel=1e-9)
    assert surface._off_normal(-3 * normal, normal) == 0.0


def test_normals_are_those_of_the_surface():
    """The normal is across the directions in which the surface extends, found by differences."""
    angle = np.linspace(-3.0, 3.0, 50)
    x = np.linspace(-0.5, 0.5, 50)

    def point(x, angle):
        rho, _ = surface._curve(x)
        return rho + surface.RADIUS * np.column_stack([np.zeros_like(x), np.cos(angle), np.sin(angle)])

    normals = surface._normals("fixed", np.column_stack([x, angle]), point(x, angle))
    step = 1e-6
    for tangent in (
        point(x + step, angle) - point(x - step, angle),
        point(x, angle + step) - point(x, angle - step),
    ):
        cosines = (
            (tangent * normals).sum(axis=1)
            / np.linalg.norm(tangent, axis=1)
            / np.linalg.norm(normals, axis=1)
        )
        assert np.abs(cosines).max() < 1e-8


def test_reactions_and_twin(study):
    """Normal to 1e-12 for both sections; the twin's acceleration, load and path are the mobilizer's."""
    figures = study("surface")["figures"]
    assert set(figures["normality_error_by_section"]) == {"fixed", "perpendicular"}
    assert 0 < max(figures["normality_error_by_section"].values()) == figures["normality_error"] <= 1e-12
    assert figures["largest_reaction"] > 1.0
    assert figures["twin_acceleration_difference"] <= 1e-13
    assert figures["twin_load_difference"] <= 1e-12
    assert figures["manifold_error"]["mobilizer"] <= 1e-15 < figures["manifold_error"]["twin"] <= 1e-9
