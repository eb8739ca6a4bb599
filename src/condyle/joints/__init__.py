"""Joints in minimal coordinates, one file per kind."""

from condyle.joints.base import Coordinate, Joint
from condyle.joints.pin import Pin

__all__ = ["Coordinate", "Joint", "Pin"]
