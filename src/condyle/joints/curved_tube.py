"""A point on a tube around a curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi as ca

from condyle.functions import Constant, Function, Linear
from condyle.joints.alignment import alignment
from condyle.joints.base import Joint
from condyle.joints.checks import axis_problems, choice_problems, function_problems, positive_problems
from condyle.joints.span import common_range
from condyle.spatial import Transform, constant, cross, unit
from condyle.spatial.placement import Vector3

ALONG_X, ZERO = Linear(), Constant()
SECTIONS = ("perpendicular", "fixed")
ORIENTATIONS = ("parent", "surface")


@final
@dataclass(frozen=True)
class CurvedTube(Joint):
    """B's origin moves on the surface rho(x) + r (cos(theta) e1 + sin(theta) e2) [mobilizers, figure 5].

    The axial curve rho = (axis_x, axis_y, axis_z)(x) [m] is by default the x axis of P; q = (x, theta), u its
    rate; x in the unit of the functions' argument, theta in rad. e1 and e2 span the section:

    - `section="perpendicular"`: the plane normal to the curve; e1 is the part of `reference` (a unit vector
      of P) in that plane, e2 = t x e1 with the tangent t. The distance to the curve is `radius` everywhere.
      Unlike the curve's own normal, `reference` serves straight pieces and inflections too; it must not
      become parallel to t. The pose takes the curve's first derivative, so Hdot is continuous only where the
      third one is. The tube must not be thicker than the curve's radius of curvature.
    - `section="fixed"`: the y-z plane of P. With axis_x = x the surface then has an explicit equation,
      (py - axis_y(px))^2 + (pz - axis_z(px))^2 = radius^2.

    `orientation="parent"` keeps B parallel to P, as befits a particle. `orientation="surface"` turns B with
    the point: z of B is the outward normal, y is opposed to growing theta, and x completes them (it is t
    where the section is perpendicular).
    """

    axis_x: Function = ALONG_X
    axis_y: Function = ZERO
    axis_z: Function = ZERO
    radius: float = 1.0
    section: str = "perpendicular"
    orientation: str = "parent"
    reference: Vector3 = (0.0, 1.0, 0.0)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ("x", "theta")

    def pose(self, q: ca.SX) -> Transform:
        x, theta = q[0], q[1]
        rho = ca.vertcat(self.axis_x(x), self.axis_y(x), self.axis_z(x))
        direction = ca.sparsify(ca.jacobian(rho, x))
        e1, e2 = constant((0.0, 1.0, 0.0)), constant((0.0, 0.0, 1.0))
        if self.section == "perpendicular":
            # d x reference spares e1 the tangent's length; e2 is then unit, and e1 = e2 x t.
            side = cross(direction, unit(self.reference))
            e2 = ca.sparsify(side / ca.norm_2(side))
            e1 = ca.sparsify(cross(e2, direction) / ca.norm_2(direction))
        s, c = ca.sin(theta), ca.cos(theta)
        outward = ca.sparsify(c * e1 + s * e2)
        p = ca.sparsify(rho + self.radius * outward)
        if self.orientation == "parent":
            return Transform(Transform.identity().R, p)
        y = ca.sparsify(s * e1 - c * e2)
        z = outward
        if self.section == "fixed":
            normal = cross(direction, y)
            z = ca.sparsify(normal / ca.norm_2(normal))
        return Transform(ca.horzcat(cross(y, z), y, z), p)

    def equations(self, X_PB: Transform) -> ca.SX | None:
        if (self.section, self.orientation, self.axis_x) != ("fixed", "parent", ALONG_X):
            return None  # x of the nearest point of the curve has no closed form
        p = X_PB.p
        squares = (p[1] - self.axis_y(p[0])) ** 2 + (p[2] - self.axis_z(p[0])) ** 2
        return ca.vertcat((squares / self.radius - self.radius) / 2, alignment(X_PB))

    def data_range(self, index: int) -> tuple[float, float] | None:
        if index == 1:
            return None
        functions = (self.axis_x, self.axis_y, self.axis_z)
        return common_range([function.domain[0] for function in functions if function.domain is not None])

    def own_problems(self) -> list[str]:
        found = choice_problems("section", self.section, SECTIONS)
        found += choice_problems("orientation", self.orientation, ORIENTATIONS)
        found += positive_problems("radius", self.radius)
        found += axis_problems("reference", self.reference)
        for label in ("axis_x", "axis_y", "axis_z"):
            function = getattr(self, label)
            found += function_problems(label, function)
            if not isinstance(function, Constant) and function.inputs != 1:
                found.append(
                    f"{label}: {type(function).__name__} takes {function.inputs} inputs; x is the only one"
                )
        return found
