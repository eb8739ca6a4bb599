"""The constrained twins of tables 1 and 2 eliminated by hand: how few operations their accelerations need.

Both are worked about the mass centre, where moments and forces uncouple; the unknown multipliers never
appear.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np

from condyle.compiled.graph import Graph
from condyle.functions import Function
from condyle.model import Body
from condyle.spatial import constant
from condyle.spatial.vectors import cross, skew

GRAVITY = 9.80665  # m/s^2, along -y of ground


def ellipsoid_twin(graph: Graph, child: Body, radii: Sequence[float]) -> ca.SX:
    """udot (6) of a free body that is held to p = D n, n its own z axis; principal axes of inertia along B's.

    The mass centre p + c has the velocity Lc w, Lc = -D n~ - c~, so that
    (I + m Lc' Lc) alpha = tau_w + L' tau_v - w x I w - m Lc' (D (w x (w x n)) + w x (w x c) - g),
    a = L alpha + D (w x (w x n)).
    """
    R, w = graph.linkage.articulations[0].X.R, graph.u[:3]
    n, D, m = R[:, 2], constant(radii), child.mass
    c, g = ca.mtimes(R, constant(child.center_of_mass)), constant((0.0, -GRAVITY, 0.0))
    # R diag(Ix, Iy, Iz) R' = Iz 1 + (Ix - Iz) x x' + (Iy - Iz) y y'.
    Ix, Iy, Iz = child.inertia[:3]
    x, y = R[:, 0], R[:, 1]
    scaled_x, scaled_y = (Ix - Iz) * x, (Iy - Iz) * y
    L = -ca.mtimes(ca.diag(D), skew(n))
    Lc = L - skew(c)
    centripetal = D * cross(w, cross(w, n))
    known = centripetal + cross(w, cross(w, c)) - g
    matrix = {
        (i, j): scaled_x[i] * x[j]
        + scaled_y[i] * y[j]
        + m * ca.dot(Lc[:, i], Lc[:, j])
        + (Iz if i == j else 0)
        for i in range(3)
        for j in range(i, 3)
    }
    momentum = scaled_x * ca.dot(w, x) + scaled_y * ca.dot(w, y)
    right = graph.tau[:3] + ca.mtimes(L.T, graph.tau[3:]) - cross(w, momentum) - m * ca.mtimes(Lc.T, known)
    alpha = _solve_3(matrix, right)
    return ca.vertcat(alpha, ca.mtimes(L, alpha) + centripetal)


def _solve_3(a: dict[tuple[int, int], ca.SX], b: ca.SX) -> ca.SX:
    """Three symmetric equations; a[i, j] with i <= j."""
    first = 1 / a[0, 0]
    l1, l2 = a[0, 1] * first, a[0, 2] * first
    d1, off = a[1, 1] - l1 * a[0, 1], a[1, 2] - l1 * a[0, 2]
    second = 1 / d1
    m2 = off * second
    y1, y2 = b[1] - l1 * b[0], b[2] - l2 * b[0]
    x2 = (y2 - m2 * y1) / (a[2, 2] - l2 * a[0, 2] - m2 * off)
    x1 = y1 * second - m2 * x2
    return ca.vertcat(b[0] * first - l1 * x1 - l2 * x2, x1, x2)


def knee_twin(
    graph: Graph, tibia: Body, translations: tuple[Function, Function], femur_angle: float
) -> ca.SX:
    """udot (3) of a body in the plane whose translations follow its angle.

    With r the mass centre from the body's origin, k the plane's normal and t = (fx', fy') + k x r,
    (I + m t.t) alpha = tau_angle + (fx', fy').tau_xy - m t.((fx'', fy'') w^2 - r w^2 - g),
    a = (fx', fy') alpha + (fx'', fy'') w^2.
    """
    q, w, tau = graph.q[0], graph.u[0], graph.tau
    slopes = [ca.gradient(ca.SX(f(q)), q) for f in translations]
    curvatures = [ca.gradient(slope, q) for slope in slopes]
    m, (x, y, _) = tibia.mass, tibia.center_of_mass
    c, s = ca.cos(q), ca.sin(q)
    rx, ry = c * x - s * y, s * x + c * y
    gx, gy = (float(-GRAVITY * part) for part in (np.sin(femur_angle), np.cos(femur_angle)))
    square = w * w
    ax, ay = curvatures[0] * square, curvatures[1] * square
    tx, ty = slopes[0] - ry, slopes[1] + rx
    inertia = tibia.inertia[2] + m * (tx * tx + ty * ty)
    moment = tx * (ax - rx * square - gx) + ty * (ay - ry * square - gy)
    alpha = (tau[0] + slopes[0] * tau[1] + slopes[1] * tau[2] - m * moment) / inertia
    return ca.vertcat(alpha, slopes[0] * alpha + ax, slopes[1] * alpha + ay)


def function(graph: Graph, udot: ca.SX) -> ca.Function:
    """(q, u, tau) -> udot, common subexpressions once."""
    return ca.Function("hand_derived", [graph.q, graph.u, graph.tau], ca.cse([udot]))
