"""Joints in minimal coordinates, one file per kind."""

from condyle.joints.ball import Ball
from condyle.joints.base import Coordinate, Joint
from condyle.joints.cylindrical import Cylindrical
from condyle.joints.ellipsoid import Ellipsoid
from condyle.joints.free import Free
from condyle.joints.gimbal import Gimbal
from condyle.joints.pin import Pin
from condyle.joints.planar import Planar
from condyle.joints.screw import Screw
from condyle.joints.slider import Slider
from condyle.joints.universal import Universal
from condyle.joints.weld import Weld

__all__ = [
    "Ball",
    "Coordinate",
    "Cylindrical",
    "Ellipsoid",
    "Free",
    "Gimbal",
    "Joint",
    "Pin",
    "Planar",
    "Screw",
    "Slider",
    "Universal",
    "Weld",
]
