"""Drivers: rows that make a mechanism follow prescribed functions of time, one file per kind."""

from condyle.drivers.angle_rotation import AngleRotation
from condyle.drivers.base import Driver
from condyle.drivers.euler_rotation import EulerRotation
from condyle.drivers.full_rotation import FullRotation
from condyle.drivers.motion import Motion
from condyle.drivers.prescribed_coordinate import PrescribedCoordinate
from condyle.drivers.prescribed_point import PrescribedPoint

__all__ = [
    "AngleRotation",
    "Driver",
    "EulerRotation",
    "FullRotation",
    "Motion",
    "PrescribedCoordinate",
    "PrescribedPoint",
]
