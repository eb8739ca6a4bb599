"""Equations B.1 to B.35 of the appendix of paper 002: rotations, angular velocity, change of momentum.

Its R from N to A is A' here; e is p; E, eta, L, K as in `condyle.spatial.euler.transformation`.
"""

from __future__ import annotations

import numpy as np

from condyle.spatial.euler import orientation, orientation_of_axis, parameters_from_sequence, tilde
from condyle.spatial.euler.arrays import apply, inner, transposed
from condyle.spatial.euler.transformation import ETA, E, K, L
from condyle.studies.identities.base import Identity
from condyle.studies.identities.sample import Sample

ETA_T = ETA.T


def _simple(axis: str, angle: np.ndarray) -> np.ndarray:
    """Equation B.2 (about z) and its likes: N components to A components."""
    c, s, zero, one = np.cos(angle), np.sin(angle), 0 * angle, 1 + 0 * angle
    rows = {
        "x": ((one, zero, zero), (zero, c, s), (zero, -s, c)),
        "y": ((c, zero, -s), (zero, one, zero), (s, zero, c)),
        "z": ((c, s, zero), (-s, c, zero), (zero, zero, one)),
    }[axis]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _sequence(s: Sample, printed: bool) -> np.ndarray:
    """B.5: the first rotation stands on the right, with B.2's convention; printed on the left."""
    first, second, third = (_simple(axis, s.angles[:, k]) for k, axis in enumerate("xyz"))
    product = first @ second @ third if printed else third @ second @ first
    return product - transposed(orientation(parameters_from_sequence("xyz", s.angles)))


def _cosines(s: Sample) -> np.ndarray:
    """B.7 and B.8: e from the angle and the direction cosines of the axis, which A leaves as it is."""
    e = s.i.p
    axis = e[:, 1:] / np.linalg.norm(e[:, 1:], axis=1, keepdims=True)
    A = s.i.A
    axial = np.stack([A[:, 2, 1] - A[:, 1, 2], A[:, 0, 2] - A[:, 2, 0], A[:, 1, 0] - A[:, 0, 1]], axis=1)
    angle = np.arctan2(np.linalg.norm(axial, axis=1), np.trace(A, axis1=1, axis2=2) - 1)
    side = np.where(e[:, 0] < 0, -1.0, 1.0)  # the angle lies below 180 degrees, beyond it is about -axis
    scalar, length = side * np.cos(angle / 2), np.sin(angle / 2)
    return np.concatenate([scalar[:, None], length[:, None] * axis], axis=1) - e


def _printed_matrix(s: Sample) -> np.ndarray:
    """B.11."""
    e0, e1, e2, e3 = s.i.p.T
    rows = (
        (0.5 - e2 * e2 - e3 * e3, e1 * e2 - e3 * e0, e1 * e3 + e2 * e0),
        (e1 * e2 + e3 * e0, 0.5 - e1 * e1 - e3 * e3, e2 * e3 - e1 * e0),
        (e1 * e3 - e2 * e0, e2 * e3 + e1 * e0, 0.5 - e1 * e1 - e2 * e2),
    )
    return 2 * np.stack([np.stack(row, axis=-1) for row in rows], axis=-2) - s.i.A


def _printed_E(s: Sample) -> np.ndarray:
    """B.13."""
    e0, e1, e2, e3 = s.i.p.T
    rows = ((-e1, -e2, -e3, e0), (e0, -e3, e2, e1), (e3, e0, -e1, e2), (-e2, e1, e0, e3))
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2) - E(s.i.p)


def _omega_bar(s: Sample) -> np.ndarray:
    return np.concatenate([s.i.omega_in_body, np.zeros((len(s.a), 1))], axis=1)


def _eta(v: np.ndarray) -> np.ndarray:
    return apply(ETA, v)


def _short(s: Sample) -> np.ndarray:
    """eta E' Edot eta' omega (3), of B.25."""
    raised = apply(ETA_T, s.i.omega_in_body)
    return _eta(apply(transposed(E(s.i.p)), apply(E(s.i.pdot), raised)))


def _momentum_rate(s: Sample) -> np.ndarray:
    """A' d(A J omega')/dt, from Adot = A omega'~."""
    i, momentum = s.i, apply(s.inertia, s.i.omega_in_body)
    Adot = i.A @ tilde(i.omega_in_body)
    return apply(transposed(i.A), apply(Adot, momentum)) + apply(s.inertia, i.omegadot_in_body)


def _with_gyroscopic(s: Sample, omegadot: np.ndarray) -> np.ndarray:
    momentum = apply(s.inertia, s.i.omega_in_body)
    return apply(s.inertia, omegadot) + np.cross(s.i.omega_in_body, momentum) - _momentum_rate(s)


def _accelerated(s: Sample, sign: float) -> np.ndarray:
    """2 eta E' eddot + sign 2 eta Edot' edot."""
    i = s.i
    straight = 2 * _eta(apply(transposed(E(i.p)), i.pddot))
    return straight + sign * 2 * _eta(apply(transposed(E(i.pdot)), i.pdot))


def _claimed(s: Sample) -> tuple[np.ndarray, np.ndarray]:
    """Both sides of B.27 (3 x 4)."""
    e, edot = E(s.i.p), E(s.i.pdot)
    return 2 * ETA @ transposed(edot), -2 * ETA @ transposed(e) @ edot @ ETA_T @ ETA @ transposed(e)


def _across(s: Sample) -> np.ndarray:
    """1 - e e'."""
    return np.eye(4) - s.i.p[:, :, None] * s.i.p[:, None, :]


def _third_line(s: Sample, printed: bool) -> np.ndarray:
    """B.28, line 3: E^T Edot^T E as printed; E Edot^T E, where eta'eta may stand (its column e is zero)."""
    e, edot = E(s.i.p), E(s.i.pdot)
    left = transposed(e) if printed else e
    return left @ transposed(edot) @ e + edot @ (ETA_T @ ETA if printed else np.eye(4))


APPENDIX = (
    Identity(
        "002-B.1, 2",
        "simple rotation about z",
        lambda s: (
            _simple("z", s.angles[:, 0])
            - transposed(orientation(parameters_from_sequence("zyz", s.angles * [1.0, 0.0, 0.0])))
        ),
    ),
    Identity(
        "002-B.3",
        "its transpose turns back",
        lambda s: _simple("z", s.angles[:, 0]) @ _simple("z", -s.angles[:, 0]) - np.eye(3),
    ),
    Identity(
        "002-B.4",
        "rotations in series",
        lambda s: transposed(s.j.A) @ transposed(s.i.A) - transposed(s.i.A @ s.j.A),
    ),
    Identity("002-B.5", "R = R3 R2 R1", lambda s: _sequence(s, printed=False)),
    Identity("002-B.5", "R = R1 R2 R3", lambda s: _sequence(s, printed=True), True),
    Identity("002-B.6 to 8", "e from angle and direction cosines", _cosines),
    Identity("002-B.9", "e'e = 1", lambda s: inner(s.i.p, s.i.p) - 1),
    Identity("002-B.10", "edot'e = 0", lambda s: inner(s.i.pdot, s.i.p)),
    Identity("002-B.11", "rotation matrix, entry by entry", _printed_matrix),
    Identity("002-B.12", "rotation matrix from e0 and epsilon", lambda s: orientation_of_axis(s.i.p) - s.i.A),
    Identity("002-B.13", "E, entry by entry", _printed_E),
    Identity(
        "002-B.13, 14", "edot = E omegabar / 2", lambda s: apply(E(s.i.p), _omega_bar(s)) / 2 - s.i.pdot
    ),
    Identity(
        "002-B.15, 16",
        "edot = E eta' omega / 2",
        lambda s: apply(E(s.i.p) @ ETA_T, s.i.omega_in_body) / 2 - s.i.pdot,
    ),
    Identity(
        "002-B.17",
        "omega = 2 eta E' edot",
        lambda s: 2 * _eta(apply(transposed(E(s.i.p)), s.i.pdot)) - s.i.omega_in_body,
    ),
    Identity("002-B.18, 19", "E'E = 1", lambda s: transposed(E(s.i.p)) @ E(s.i.p) - np.eye(4)),
    Identity("002-B.18, 19", "E E' = 1", lambda s: E(s.i.p) @ transposed(E(s.i.p)) - np.eye(4)),
    Identity(
        "002-B.20",
        "Edot'E + E'Edot = 0",
        lambda s: transposed(E(s.i.pdot)) @ E(s.i.p) + transposed(E(s.i.p)) @ E(s.i.pdot),
    ),
    Identity(
        "002-B.20",
        "Edot E' + E Edot' = 0",
        lambda s: E(s.i.pdot) @ transposed(E(s.i.p)) + E(s.i.p) @ transposed(E(s.i.pdot)),
    ),
    Identity(
        "002-B.21",
        "omegadot = 2 eta (E'eddot + Edot'edot)",
        lambda s: _accelerated(s, 1.0) - s.i.omegadot_in_body,
    ),
    Identity("002-B.22", "Edot = E(edot)", lambda s: E(s.i.p + s.i.pdot) - E(s.i.p) - E(s.i.pdot)),
    Identity(
        "002-B.23",
        "eddot = (E eta' omegadot + Edot eta' omega) / 2",
        lambda s: (
            (apply(E(s.i.p) @ ETA_T, s.i.omegadot_in_body) + apply(E(s.i.pdot) @ ETA_T, s.i.omega_in_body))
            / 2
            - s.i.pddot
        ),
    ),
    Identity("002-B.24", "eta eta' = 1", lambda s: (ETA @ ETA_T - np.eye(3))[None]),
    Identity(
        "002-B.25",
        "omegadot = 2 eta E'eddot - eta E'Edot eta'omega",
        lambda s: 2 * _eta(apply(transposed(E(s.i.p)), s.i.pddot)) - _short(s) - s.i.omegadot_in_body,
    ),
    Identity(
        "002-B.26",
        "omegadot = 2 eta E'eddot - 2 eta E'Edot eta'eta E'edot",
        lambda s: (
            2 * _eta(apply(transposed(E(s.i.p)), s.i.pddot))
            + apply(_claimed(s)[1], s.i.pdot)
            - s.i.omegadot_in_body
        ),
    ),
    Identity(
        "002-B.27", "2 eta Edot' = -2 eta E'Edot eta'eta E'", lambda s: _claimed(s)[0] - _claimed(s)[1], True
    ),
    Identity(
        "002-B.27",
        "2 eta Edot'(1 - e e') = -2 eta E'Edot eta'eta E'",
        lambda s: _claimed(s)[0] @ _across(s) - _claimed(s)[1],
    ),
    Identity(
        "002-B.27",
        "applied to edot, both sides are zero",
        lambda s: np.stack([apply(side, s.i.pdot) for side in _claimed(s)], axis=1),
    ),
    Identity("002-B.28", "line 3, E'Edot'E = -Edot eta'eta", lambda s: _third_line(s, printed=True), True),
    Identity("002-B.28", "line 3 with E and the whole of eta'eta", lambda s: _third_line(s, printed=False)),
    Identity(
        "002-B.29", "the sign of a term that is zero", lambda s: _accelerated(s, -1.0) - s.i.omegadot_in_body
    ),
    Identity(
        "002-B.30", "Hdot = I omegadot + omega x I omega", lambda s: _with_gyroscopic(s, s.i.omegadot_in_body)
    ),
    Identity("002-B.31", "Hdot from E, eta", lambda s: _with_gyroscopic(s, _accelerated(s, -1.0))),
    Identity("002-B.32", "L = 2 eta E'", lambda s: 2 * ETA @ transposed(E(s.i.p)) - L(s.i.p)),
    Identity("002-B.32", "Ldot = 2 eta Edot'", lambda s: 2 * ETA @ transposed(E(s.i.pdot)) - L(s.i.pdot)),
    Identity(
        "002-B.33",
        "Hdot = I (L eddot + Ldot edot) + L edot x I L edot",
        lambda s: _with_gyroscopic(s, apply(L(s.i.p), s.i.pddot) + apply(L(s.i.pdot), s.i.pdot)),
    ),
    Identity(
        "002-B.34, 35",
        "Hdot = I L eddot + K",
        lambda s: (
            apply(s.inertia, apply(L(s.i.p), s.i.pddot)) + K(s.i.p, s.i.pdot, s.inertia) - _momentum_rate(s)
        ),
    ),
)
