"""Joints in minimal coordinates, one file per kind."""

from condyle.joints.ball import Ball
from condyle.joints.base import Coordinate, Joint
from condyle.joints.curved_tube import CurvedTube
from condyle.joints.custom import Custom
from condyle.joints.cylindrical import Cylindrical
from condyle.joints.ellipsoid import Ellipsoid
from condyle.joints.free import Free
from condyle.joints.gimbal import Gimbal
from condyle.joints.pin import Pin
from condyle.joints.planar import Planar
from condyle.joints.reversed import Reversed, reverse
from condyle.joints.screw import Screw
from condyle.joints.slider import Slider
from condyle.joints.universal import Universal
from condyle.joints.weld import Weld

__all__ = [
    "Ball",
    "Coordinate",
    "CurvedTube",
    "Custom",
    "Cylindrical",
    "Ellipsoid",
    "Free",
    "Gimbal",
    "Joint",
    "Pin",
    "Planar",
    "Reversed",
    "Screw",
    "Slider",
    "Universal",
    "Weld",
    "reverse",
]
