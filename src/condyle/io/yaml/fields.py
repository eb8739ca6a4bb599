"""Which dimension a numeric field of a description has, so that an angle given in millimetres is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field
from types import MappingProxyType

# A field may say it itself, `field(metadata={"dimension": "length"})`; these names mean the same everywhere.
# What is in neither may have any unit: a spline's ordinates are lengths or angles, as the joint uses them.
_BY_NAME: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "mass": ("mass",),
        "center_of_mass": ("length",),
        "inertia": ("inertia",),
        "translation": ("length",),
        "position": ("length",),
        "point": ("length",),
        "point_a": ("length",),
        "point_b": ("length",),
        "pitch": ("pitch",),
        "radii": ("length",),
        "radius": ("length",),
        "angles": ("angle",),
        "axis": ("dimensionless",),
        "axis_a": ("dimensionless",),
        "axis_b": ("dimensionless",),
        "driver_axis": ("dimensionless",),
        "rotation_axes": ("dimensionless",),
        "translation_axes": ("dimensionless",),
        "reference": ("dimensionless",),
        "gravity": ("acceleration",),
        "default": ("angle", "length", "dimensionless"),
        "range": ("angle", "length", "dimensionless"),
    }
)


def dimensions(field: Field) -> tuple[str, ...]:
    """Names of the dimensions that this field accepts; none means any."""
    stated = field.metadata.get("dimension")
    if stated is not None:
        return (stated,) if isinstance(stated, str) else tuple(stated)
    return _BY_NAME.get(field.name, ())
