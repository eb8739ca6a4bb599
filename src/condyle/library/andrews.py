"""Andrews' squeezing mechanism: seven bodies in a plane, three loops, one degree of freedom.

Parameters and names: Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7 (after Schiehlen,
Multibody Systems Handbook, 1990); the same numbers are in the IVP test set and in problem A03 of the IFToMM
benchmarks. The tree is that of the empirical paper's equation 199: the bar EF hangs on HE, so that every
angle but the crank's comes back after a turn.
"""

from __future__ import annotations

from functools import partial
from math import acos, atan2, cos, hypot, pi, sin

import casadi as ca

from condyle.couplings import Implicit
from condyle.forces import LineSpring
from condyle.functions import Expression
from condyle.joints import Coordinate, Pin
from condyle.model import Body, Marker, Model
from condyle.spatial import Placement

#: Starting angle of the crank [rad] in the IFToMM benchmark, and in the IVP test set.
BETA_IFTOMM, BETA_IVP = -0.0620, -0.0617138900142764
#: Constant torque on the crank [N m].
TORQUE = 0.033
# Pivots A, B and the spring's C on ground, O at the origin [m].
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
# Lengths of the bars [m].
OF, EF, BE, AG, GE, AH, HE = 0.007, 0.028, 0.035, 0.04, 0.02, 0.04, 0.02
# The spring's point D on the triangle BDE, its stiffness [N/m] and length at rest [m].
D, STIFFNESS, REST = (0.02, -0.018), 4530.0, 0.07785
#: Mass [kg], moment of inertia about the centre [kg m^2], centre [m] in the body's own axes.
BODIES = {
    "OF": (0.04325, 2.194e-06, (0.00092, 0.0)),
    "AH": (0.05498, 1.912e-05, (-0.00449, -0.01228)),
    "HE": (0.00706, 5.667e-07, (0.02 - 0.01421, 0.0)),
    "EF": (0.00365, 4.410e-07, (0.028 - 0.0115, 0.0)),
    "AG": (0.07050, 1.169e-05, (0.02308, 0.00916)),
    "GE": (0.00706, 5.667e-07, (0.0, 0.01421 - 0.02)),
    "BE": (0.02373, 5.255e-06, (0.01043, -0.01874)),
}
_Point = tuple[float, float]


def andrews(beta: float = BETA_IFTOMM) -> Model:
    """Assembled at the crank angle `beta` [rad], without gravity. The drive is `TORQUE` on `beta.angle`.

    Pins are named by their angles as in the literature; `chi`, of EF against HE, is beta + Theta - Omega -
    epsilon. A body's origin is its pin to the one before it. The marker F is the benchmark's output.
    """
    start = angles(beta)

    def pin(name: str, parent: str, child: str, at: _Point = (0.0, 0.0)) -> Pin:
        return Pin(name, parent, child, _placed(at), coordinates=(Coordinate("angle", start[name]),))

    return Model(
        "andrews",
        tuple(_flat(name, *numbers) for name, numbers in BODIES.items()),
        (
            pin("beta", "ground", "OF"),
            pin("epsilon", "ground", "AH", A),
            pin("Omega", "AH", "HE", (0.0, -AH)),
            pin("chi", "HE", "EF", (HE, 0.0)),
            pin("delta", "ground", "AG", A),
            pin("Phi", "AG", "GE", (AG, 0.0)),
            pin("gamma", "ground", "BE", B),
        ),
        markers=(Marker("F", "OF", (OF, 0.0, 0.0)), Marker("E", "HE", (HE, 0.0, 0.0))),
        gravity=(0.0, 0.0, 0.0),
        forces=(LineSpring("spring", "ground", "BE", (*C, 0.0), (*D, 0.0), STIFFNESS, 0.0, REST),),
        loops=(
            Pin("F", "OF", "EF", _placed((OF, 0.0)), _placed((EF, 0.0))),
            Pin("E_HE", "BE", "HE", _placed((0.0, -BE)), _placed((HE, 0.0))),
            Pin("E_GE", "BE", "GE", _placed((0.0, -BE)), _placed((0.0, -GE))),
        ),
    )


def angles(beta: float) -> dict[str, float]:
    """Angle of every pin [rad] with the loops closed at the crank angle `beta`, by the law of cosines.

    Of the assemblies, that of the literature: E on the left of FB, G on the left and H on the right of AE.
    """
    F = (OF * cos(beta), OF * sin(beta))
    E = _corner(F, EF, B, BE, 1)
    G, H = _corner(A, AG, E, GE, 1), _corner(A, AH, E, HE, -1)
    epsilon, delta = _heading(A, H) + pi / 2, _heading(A, G)
    he = _heading(H, E)
    found = {
        "epsilon": epsilon,
        "Omega": he - epsilon,
        "chi": _heading(E, F) - he,
        "delta": delta,
        "Phi": _heading(G, E) + pi / 2 - delta,
        "gamma": _heading(B, E) + pi / 2,
    }
    return {"beta": beta} | {name: atan2(sin(angle), cos(angle)) for name, angle in found.items()}


def loop_equations() -> Implicit:
    """All other angles from the crank's, by the equations of the loops [empirical, eq. 199].

    The paper's joint variables are those of the tree, some measured from another axis: th1 = beta, th2 =
    epsilon - pi/2, th3 = delta, th4 = gamma - pi/2, th5 = Phi - pi/2, th6 = Omega + pi/2, th7 = chi.
    """
    names = ("epsilon", "Omega", "chi", "delta", "Phi", "gamma")
    start = angles(0.0)
    return Implicit(
        "loops",
        tuple(f"{name}.angle" for name in names),
        ("beta.angle",),
        tuple(Expression(partial(_equation_199, row), 1 + len(names)) for row in range(len(names))),
        tuple(start[name] for name in names),
    )


def _equation_199(row: int, *variables: ca.SX) -> ca.SX:
    beta, epsilon, Omega, chi, delta, Phi, gamma = variables
    th1, th2, th3, th4 = beta, epsilon - pi / 2, delta, gamma - pi / 2
    th5, th6, th7 = Phi - pi / 2, Omega + pi / 2, chi
    trigonometric, axis = ((ca.cos, 0), (ca.sin, 1))[row % 2]
    to_E = AH * trigonometric(th2) + HE * trigonometric(th2 + th6)
    if row < 2:
        return A[axis] + to_E + EF * trigonometric(th2 + th6 + th7) - OF * trigonometric(th1)
    if row < 4:
        return AG * trigonometric(th3) + GE * trigonometric(th3 + th5) - to_E
    return A[axis] + to_E - BE * trigonometric(th4) - B[axis]


def _corner(p: _Point, from_p: float, q: _Point, from_q: float, side: int) -> _Point:
    """The point at two distances from p and q, on the left (1) or the right (-1) of the line from p to q."""
    apart = hypot(q[0] - p[0], q[1] - p[1])
    turn = side * acos((from_p**2 + apart**2 - from_q**2) / (2 * from_p * apart))
    heading = _heading(p, q) + turn
    return p[0] + from_p * cos(heading), p[1] + from_p * sin(heading)


def _heading(p: _Point, q: _Point) -> float:
    return atan2(q[1] - p[1], q[0] - p[0])


def _placed(point: _Point) -> Placement:
    return Placement((*point, 0.0))


def _flat(name: str, mass: float, moment: float, center: _Point) -> Body:
    """A thin plate: only its moment about z plays a role in the plane."""
    return Body(name, mass, (*center, 0.0), (moment / 2, moment / 2, moment, 0.0, 0.0, 0.0))
