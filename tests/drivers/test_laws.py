"""What holds for every driver: D, nu and gamma are the slopes of Phi along any motion."""

import numpy as np
import pytest

from condyle.drivers import (
    AngleRotation,
    Driver,
    EulerRotation,
    FullRotation,
    PrescribedCoordinate,
    PrescribedPoint,
)
from condyle.drivers.angle_rotation import two_rows_per_freedom
from condyle.joints import Pin, Reversed
from condyle.spatial import Placement

from .pair import Pair, State, unit

FRAMES = {
    "parent_frame": Placement((0, 0, 0), (0.3, -0.2, 0.9)),
    "child_frame": Placement((1, 0, 0), (1, 2, 3)),
}
CASES: dict[str, Driver] = {
    "euler": EulerRotation("d", "j", "i", **FRAMES, components=(1, 2, (0.1, 0.2, 0.3, 0.4))),
    "angle": AngleRotation("d", "j", "i", **FRAMES, pairs=two_rows_per_freedom(())),
    "cosine": AngleRotation("d", "j", "i", pairs=two_rows_per_freedom(((0, 0, 1),)), prescribed="cosine"),
    "angle_of_orientation": AngleRotation(
        "d", "j", "i", **FRAMES, pairs=two_rows_per_freedom(((0, 0, 1), (1, 0, 0))), prescribed="orientation"
    ),
    "full": FullRotation("d", "j", "i", **FRAMES),
    "coordinate": PrescribedCoordinate("d", "i.py"),
    "point": PrescribedPoint("d", "i", (0.1, -0.2, 0.3)),
    "point_in_body": PrescribedPoint("d", "i", (0.1, -0.2, 0.3), "j", ("z", "x")),
}
X = (1, 0, 0)
every = pytest.mark.parametrize("name", sorted(CASES))


def moved(q, u, udot, time):
    """The state after a short time: exact to third order for positions, Euler parameters by their series."""
    found = q.copy()
    speeds = u + udot * time
    for body in range(2):
        p, w, a = q[7 * body : 7 * body + 4], u[6 * body : 6 * body + 3], udot[6 * body : 6 * body + 3]
        # Fourth-order Magnus: constant w plus linear growth.
        turn = w * time + a * time**2 / 2 + np.cross(a, w) * time**3 / 12
        angle = np.linalg.norm(turn)
        d = np.concatenate([[np.cos(angle / 2)], np.sinc(angle / 2 / np.pi) / 2 * turn])
        vector = d[0] * p[1:] + p[0] * d[1:] + np.cross(d[1:], p[1:])
        found[7 * body : 7 * body + 4] = np.concatenate([[d[0] * p[0] - d[1:] @ p[1:]], vector])
        v, b = u[6 * body + 3 : 6 * body + 6], udot[6 * body + 3 : 6 * body + 6]
        found[7 * body + 4 : 7 * body + 7] += v * time + b * time**2 / 2
    return found, speeds


@every
def test_rows_are_slopes_of_the_residual(name):
    """d Phi/dt = D u - nu and d2 Phi/dt2 = D udot - gamma, by central differences along a motion."""
    pair, state = Pair(CASES[name]), State.random(5)
    generator = np.random.default_rng(1)
    count = len(CASES[name].targets)
    target, rate, acceleration = generator.standard_normal((3, count))
    if CASES[name].orientation:
        target = unit(target)
    udot = generator.standard_normal(12)

    def phi(time):
        q, u = moved(state.q, state.u, udot, time)
        return pair(q, u, target + rate * time + acceleration * time**2 / 2, rate, acceleration).phi

    here = pair(state.q, state.u, target, rate, acceleration)
    h = 1e-3
    values = {k: phi(k * h) for k in (-3, -2, -1, 0, 1, 2, 3)}
    slope = sum(c * (values[k] - values[-k]) for k, c in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))) / h
    curvature = (
        sum(c * (values[k] + values[-k]) for k, c in ((0, -49 / 36), (1, 3 / 2), (2, -3 / 20), (3, 1 / 90)))
        / h**2
    )
    assert slope == pytest.approx(here.D @ state.u - here.nu, abs=1e-10)
    assert curvature == pytest.approx(here.D @ udot - here.gamma, abs=1e-7)


@every
def test_rows_and_freedoms_are_counted(name):
    """The rows are as many as `size` says, and at a generic state their rank is `freedoms`."""
    driver = CASES[name]
    state, count = State.random(7), len(driver.targets)
    target = np.array([0.9, 0.1, -0.3, 0.2])[:count] if driver.orientation else np.full(count, 0.3)
    D = Pair(driver)(state.q, state.u, target, np.zeros(count), np.zeros(count)).D
    assert D.shape[0] == driver.size
    if not name.startswith(("angle_of", "cosine")):  # on free bodies, rows of one or two axes guide more
        assert np.linalg.matrix_rank(D, tol=1e-9) == driver.freedoms
    assert driver.problems() == []
    assert all(body in ("j", "i", "ground") for body in driver.bodies)


@pytest.mark.parametrize(
    ("driver", "words"),
    [
        (EulerRotation("d", "j", "j"), "both 'j'"),
        (EulerRotation("d", "j", "i", components=(1, 4)), "allowed: 0, 1, 2, 3"),
        (EulerRotation("d", "j", "i", components=(0, 1, 2, 3)), "4 components; allowed: 1 to 3"),
        (EulerRotation("d", "j", "i", components=(1, (0, 2, 0, 0))), "depend on each other"),
        (AngleRotation("d", "j", "i"), "none given"),
        (AngleRotation("d", "j", "i", pairs=(((1, 0, 0), (0, 2, 0)),)), "unit length"),
        (
            AngleRotation("d", "j", "i", pairs=(((1, 0, 0), (0, 1, 0)),), prescribed="sine"),
            "allowed: angle, cosine",
        ),
        (PrescribedPoint("d", "i", along=("x", "w")), "allowed: some of"),
    ],
)
def test_problems_are_said(driver, words):
    assert any(words in problem for problem in driver.problems())


def test_a_driver_of_a_joint_has_its_frames():
    """Of P and B, whichever way the joint is hung in the tree."""
    place = Placement((0.1, 0.0, 0.0), (0.2, 0.3, -0.4))
    joint = Pin("knee", "j", "i", place, FRAMES["child_frame"])
    for given in (joint, Reversed(joint)):
        driver = EulerRotation.of(given, components=(3,))
        assert (driver.name, driver.bodies, driver.components) == ("knee", ("j", "i"), (3,))
        assert (driver.parent_frame, driver.child_frame) == (place, FRAMES["child_frame"])
    assert AngleRotation.of(joint, "other", pairs=((X, X),)).name == "other"
