"""A leg seen from its side: bones by hand around the model's frames, the femoral condyle by the model itself.

The condyle is the envelope of the tibial plateau over all knee angles: the surface on which the plateau then
rolls and slides without a gap, whatever the empirical functions are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from condyle.compiled import Mechanism
from condyle.library.knee import FEMUR_ANGLE
from condyle.report import svg
from condyle.report.bones import FEMUR_SHAFT, FIBULA, FOOT, SHANK_FLESH, THIGH_FLESH, TIBIA
from condyle.report.style import BONE, BONE_EDGE, FLESH, FLESH_EDGE

#: Height of the plateau below the tibia's origin, which lies between the epicondyles [m].
PLATEAU = 0.03


def contact_points(knee: Mechanism, angles: np.ndarray) -> np.ndarray:
    """Where the plateau touches its envelope at knee angles (n) [rad]: (n, 2) in the femur's axes [m].

    A point (s, -h) of the plateau moves along it where s = -n.p', with n its normal and p the tibia's origin.
    """
    q = np.asarray(angles, dtype=float)[:, None]
    _, position = knee.body_poses(q)["tibia"]
    _, slope = knee.body_velocities(q, np.ones_like(q))["tibia"]
    c, s = np.cos(FEMUR_ANGLE), np.sin(FEMUR_ANGLE)
    to_femur = np.array([[c, s], [-s, c]])
    position, slope = position[:, :2] @ to_femur.T, slope[:, :2] @ to_femur.T
    along = np.hstack([np.cos(q), np.sin(q)])
    normal = np.hstack([-np.sin(q), np.cos(q)])
    contact = -(normal * slope).sum(axis=1, keepdims=True)
    return position + contact * along - PLATEAU * normal


def condyle_outline(knee: Mechanism) -> np.ndarray:
    """The envelope (n, 2) from 120 degrees of flexion to a little extension, in the femur's axes [m]."""
    return contact_points(knee, np.radians(np.arange(-120.0, 13.0, 8.0)))


def femur_to_ground(places: np.ndarray) -> np.ndarray:
    """Places (..., 2) in the femur's axes, in ground [m]; both origins are the hip."""
    c, s = np.cos(FEMUR_ANGLE), np.sin(FEMUR_ANGLE)
    return np.asarray(places) @ np.array([[c, s], [-s, c]])


@dataclass(frozen=True)
class Leg:
    """Where the hip is [px], how large a metre is [px], and the condyle's outline in the femur's axes [m]."""

    hip: tuple[float, float]
    scale: float
    condyle: np.ndarray

    def pixels(self, position: np.ndarray) -> np.ndarray:
        """Pixels (..., 2) of places in ground (..., 2) [m]."""
        return np.array(self.hip) + np.asarray(position) * self.scale * np.array([1.0, -1.0])

    def thigh(self) -> str:
        """Flesh of the fixed thigh."""
        return svg.group(self._flesh(THIGH_FLESH), transform=self._transform(np.zeros(2), FEMUR_ANGLE))

    def femur(self) -> str:
        """The fixed bone."""
        femur = np.concatenate([self.condyle, FEMUR_SHAFT])
        return svg.group(self._bone(femur), transform=self._transform(np.zeros(2), FEMUR_ANGLE))

    def shank(self, position: np.ndarray, angle: float, opacity: float) -> str:
        """Outline of tibia and foot at one pose: origin in ground (2) [m] and angle [rad]."""
        shape = self._outline(
            SHANK_FLESH, fill=FLESH, fill_opacity=opacity, stroke=FLESH_EDGE, stroke_opacity=2 * opacity
        )
        return svg.group(shape, transform=self._transform(position, angle))

    def swinging(self, positions: np.ndarray, angles: np.ndarray, duration: float) -> tuple[str, str]:
        """(flesh, bones) of the moving shank: origins (n, 2) [m], angles (n) [rad] over `duration` [s]."""
        bones = "".join(self._bone(shape) for shape in (FIBULA, FOOT, TIBIA))
        shift = svg.animate_transform("translate", svg.moving(self.pixels(positions)), duration)
        turn = svg.animate_transform("rotate", svg.moving(-np.degrees(angles)), duration)
        x, y = self.pixels(positions[0])
        start = f"translate({svg.number(x)} {svg.number(y)})"

        def moved(shapes: str) -> str:
            return svg.group(
                shift, svg.group(turn, shapes, transform=f"rotate({_turn(angles[0])})"), transform=start
            )

        return moved(self._flesh(SHANK_FLESH)), moved(bones)

    def _transform(self, position: np.ndarray, angle: float) -> str:
        x, y = self.pixels(position)
        return f"translate({svg.number(x)} {svg.number(y)}) rotate({_turn(angle)})"

    def _outline(self, shape: np.ndarray, **attributes: object) -> str:
        path = svg.smooth_path(shape * self.scale * np.array([1.0, -1.0]))
        return svg.element("path", d=path, **attributes)

    def _flesh(self, shape: np.ndarray) -> str:
        return self._outline(shape, fill=FLESH, fill_opacity=0.55)

    def _bone(self, shape: np.ndarray) -> str:
        return self._outline(shape, fill=BONE, stroke=BONE_EDGE, stroke_width=1.3, stroke_linejoin="round")


def _turn(angle: float) -> str:
    """Degrees for SVG, whose y points down."""
    return svg.number(-np.degrees(angle))
