"""Equations 16 to 39 of paper 000: relative Euler parameters, their driver, and its appendices."""

from __future__ import annotations

import numpy as np

from condyle.spatial.euler import G, L, L_star, R_star, bar, orientation, plus, tilde
from condyle.spatial.euler.arrays import apply, inner, transposed
from condyle.spatial.euler.relative import relative, relative_rate, relative_second_rate
from condyle.studies.identities.base import Identity
from condyle.studies.identities.sample import Sample, Turning


def _about(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    half = angle[:, None] / 2
    return np.concatenate([np.cos(half), axis * np.sin(half)], axis=1)


def _definition(s: Sample) -> np.ndarray:
    """A of (cos, u sin) of half an angle against the rotation that Turning.A makes of angle and axis."""
    axis, angle = s.a / np.linalg.norm(s.a, axis=1, keepdims=True), 2 * s.angles[:, 0]
    p = _about(axis, angle)
    return orientation(p) - Turning(p, p, p).A


def _rate(s: Sample) -> np.ndarray:
    """pdot_ij of the bilinear p_ij, by its values alone: f(x + h) - f(x) - f(h) with both arguments."""
    whole = relative(s.i.p + s.i.pdot, s.j.p + s.j.pdot)
    return whole - relative(s.i.p, s.j.p) - relative(s.i.pdot, s.j.pdot)


def _second_rate(s: Sample) -> np.ndarray:
    """pddot_ij by the product rule on relative(p_i, p_j)."""
    i, j = s.i, s.j
    return relative(i.pddot, j.p) + 2 * relative(i.pdot, j.pdot) + relative(i.p, j.pddot)


def _bias(s: Sample) -> np.ndarray:
    """(2 pdot_i.pdot_j; Ldot_j pdot_i - Ldot_i pdot_j) (4), of equation 24."""
    i, j = s.i, s.j
    across = apply(L(j.pdot), i.pdot) - apply(L(i.pdot), j.pdot)
    return np.concatenate([2 * inner(i.pdot, j.pdot)[:, None], across], axis=1)


def _rows(s: Sample) -> tuple[np.ndarray, np.ndarray]:
    """v'L*_j and v'R*_i (4 each)."""
    return apply(transposed(L_star(s.j.p)), s.v), apply(transposed(R_star(s.i.p)), s.v)


def _angular_rows(s: Sample) -> tuple[np.ndarray, np.ndarray]:
    of_i, of_j = _rows(s)
    return apply(L(s.i.p), of_i) / 2, apply(L(s.j.p), of_j) / 2


def _gamma(s: Sample) -> np.ndarray:
    """Equation 24 with p*_ij = p_ij."""
    return inner(s.v, _second_rate(s)) - inner(s.v, _bias(s))


def _angular_gamma(s: Sample) -> np.ndarray:
    """Equation 25."""
    (of_i, of_j), i, j = _rows(s), s.i, s.j
    squared_i, squared_j = inner(i.omega_in_body, i.omega_in_body), inner(j.omega_in_body, j.omega_in_body)
    return _gamma(s) + squared_i * inner(of_i, i.p) / 4 + squared_j * inner(of_j, j.p) / 4


def _printed_G(p: np.ndarray) -> np.ndarray:
    """[-e, e0 1 + e~] block by block."""
    return np.concatenate([-p[:, 1:, None], p[:, :1, None] * np.eye(3) + tilde(p[:, 1:])], axis=2)


def _printed_L(p: np.ndarray) -> np.ndarray:
    return np.concatenate([-p[:, 1:, None], p[:, :1, None] * np.eye(3) - tilde(p[:, 1:])], axis=2)


def _printed_block(a: np.ndarray, sign: float) -> np.ndarray:
    top = np.concatenate([np.zeros((len(a), 1, 1)), -a[:, None, :]], axis=2)
    return np.concatenate([top, np.concatenate([a[:, :, None], sign * tilde(a)], axis=2)], axis=1)


def _at(m: np.ndarray, a: np.ndarray) -> np.ndarray:
    return apply(transposed(m), a)


DRIVERS = (
    Identity("000-16, 17", "A(cos, u sin) is the rotation about u", _definition),
    Identity(
        "000-18",
        "A(L*_j p_i) = A_j' A_i",
        lambda s: orientation(apply(L_star(s.j.p), s.i.p)) - transposed(s.j.A) @ s.i.A,
    ),
    Identity(
        "000-19, 20",
        "v.p_ij = v.L*_j p_i",
        lambda s: inner(s.v, relative(s.i.p, s.j.p)) - inner(_rows(s)[0], s.i.p),
    ),
    Identity(
        "000-21",
        "the row of the driver for rates of parameters",
        lambda s: inner(_rows(s)[0], s.i.pdot) + inner(_rows(s)[1], s.j.pdot) - inner(s.v, _rate(s)),
    ),
    Identity(
        "000-22, 23",
        "the row of the driver for omega'",
        lambda s: (
            inner(_angular_rows(s)[0], s.i.omega_in_body)
            + inner(_angular_rows(s)[1], s.j.omega_in_body)
            - inner(s.v, _rate(s))
        ),
    ),
    Identity(
        "000-24",
        "gamma for second rates of parameters",
        lambda s: inner(_rows(s)[0], s.i.pddot) + inner(_rows(s)[1], s.j.pddot) - _gamma(s),
    ),
    Identity(
        "000-25",
        "gamma for omega'dot",
        lambda s: (
            inner(_angular_rows(s)[0], s.i.omegadot_in_body)
            + inner(_angular_rows(s)[1], s.j.omegadot_in_body)
            - _angular_gamma(s)
        ),
    ),
    Identity("000-26", "G = [-e, e0 1 + e~]", lambda s: G(s.i.p) - _printed_G(s.i.p)),
    Identity("000-27", "L = [-e, e0 1 - e~]", lambda s: L(s.i.p) - _printed_L(s.i.p)),
    Identity("000-28", "G pdot = -Gdot p", lambda s: apply(G(s.i.p), s.i.pdot) + apply(G(s.i.pdot), s.i.p)),
    Identity("000-28", "L pdot = -Ldot p", lambda s: apply(L(s.i.p), s.i.pdot) + apply(L(s.i.pdot), s.i.p)),
    Identity("000-28", "Gdot pdot = 0", lambda s: apply(G(s.i.pdot), s.i.pdot)),
    Identity("000-28", "Ldot pdot = 0", lambda s: apply(L(s.i.pdot), s.i.pdot)),
    Identity(
        "000-28",
        "G Ldot' = Gdot L'",
        lambda s: G(s.i.p) @ transposed(L(s.i.pdot)) - G(s.i.pdot) @ transposed(L(s.i.p)),
    ),
    Identity("000-29", "a+ = [0, -a'; a, a~]", lambda s: plus(s.a) - _printed_block(s.a, 1.0)),
    Identity("000-29", "abar = [0, -a'; a, -a~]", lambda s: bar(s.a) - _printed_block(s.a, -1.0)),
    Identity("000-30", "G' a = a+ p", lambda s: _at(G(s.i.p), s.a) - apply(plus(s.a), s.i.p)),
    Identity("000-30", "L' a = abar p", lambda s: _at(L(s.i.p), s.a) - apply(bar(s.a), s.i.p)),
    Identity("000-30", "Gdot' a = a+ pdot", lambda s: _at(G(s.i.pdot), s.a) - apply(plus(s.a), s.i.pdot)),
    Identity("000-30", "Ldot' a = abar pdot", lambda s: _at(L(s.i.pdot), s.a) - apply(bar(s.a), s.i.pdot)),
    Identity("000-30", "Gddot' a = a+ pddot", lambda s: _at(G(s.i.pddot), s.a) - apply(plus(s.a), s.i.pddot)),
    Identity(
        "000-30", "Lddot' a = abar pddot", lambda s: _at(L(s.i.pddot), s.a) - apply(bar(s.a), s.i.pddot)
    ),
    Identity(
        "000-30", "Gdot' a = adot+ p", lambda s: _at(G(s.i.pdot), s.a) - apply(plus(s.adot), s.i.p), True
    ),
    Identity(
        "000-30", "Ldot' a = adotbar p", lambda s: _at(L(s.i.pdot), s.a) - apply(bar(s.adot), s.i.p), True
    ),
    Identity(
        "000-30", "Gddot' a = addot+ p", lambda s: _at(G(s.i.pddot), s.a) - apply(plus(s.addot), s.i.p), True
    ),
    Identity(
        "000-30", "Lddot' a = addotbar p", lambda s: _at(L(s.i.pddot), s.a) - apply(bar(s.addot), s.i.p), True
    ),
    Identity("000-31", "omega = 2 G pdot", lambda s: 2 * apply(G(s.i.p), s.i.pdot) - s.i.omega),
    Identity("000-31", "pdot = G' omega / 2", lambda s: _at(G(s.i.p), s.i.omega) / 2 - s.i.pdot),
    Identity("000-31", "omega' = 2 L pdot", lambda s: 2 * apply(L(s.i.p), s.i.pdot) - s.i.omega_in_body),
    Identity("000-31", "pdot = L' omega' / 2", lambda s: _at(L(s.i.p), s.i.omega_in_body) / 2 - s.i.pdot),
    Identity("000-32", "omegadot = 2 G pddot", lambda s: 2 * apply(G(s.i.p), s.i.pddot) - s.i.omegadot),
    Identity(
        "000-32",
        "pddot = G' omegadot / 2 - (omega.omega) p / 4",
        lambda s: (
            _at(G(s.i.p), s.i.omegadot) / 2 - inner(s.i.omega, s.i.omega)[:, None] * s.i.p / 4 - s.i.pddot
        ),
    ),
    Identity(
        "000-32", "omega'dot = 2 L pddot", lambda s: 2 * apply(L(s.i.p), s.i.pddot) - s.i.omegadot_in_body
    ),
    Identity(
        "000-32",
        "pddot = L' omega'dot / 2 - (omega'.omega') p / 4",
        lambda s: (
            _at(L(s.i.p), s.i.omegadot_in_body) / 2
            - inner(s.i.omega_in_body, s.i.omega_in_body)[:, None] * s.i.p / 4
            - s.i.pddot
        ),
    ),
    Identity("000-33", "L_i p_j = -L_j p_i", lambda s: apply(L(s.i.p), s.j.p) + apply(L(s.j.p), s.i.p)),
    Identity("000-33", "G_i p_j = -G_j p_i", lambda s: apply(G(s.i.p), s.j.p) + apply(G(s.j.p), s.i.p)),
    Identity(
        "000-34", "L_i pdot_j = -Ldot_j p_i", lambda s: apply(L(s.i.p), s.j.pdot) + apply(L(s.j.pdot), s.i.p)
    ),
    Identity(
        "000-34", "G_i pdot_j = -Gdot_j p_i", lambda s: apply(G(s.i.p), s.j.pdot) + apply(G(s.j.pdot), s.i.p)
    ),
    Identity("000-35", "Ldot = L(pdot)", lambda s: L(s.i.p + s.i.pdot) - L(s.i.p) - L(s.i.pdot)),
    Identity("000-35", "Gdot = G(pdot)", lambda s: G(s.i.p + s.i.pdot) - G(s.i.p) - G(s.i.pdot)),
    Identity(
        "000-36, 37",
        "pdot_ij = L*_j pdot_i + R*_i pdot_j",
        lambda s: relative_rate(s.i.p, s.j.p, s.i.pdot, s.j.pdot) - _rate(s),
    ),
    Identity(
        "000-38",
        "pdot_ij from omega'_i and omega'_j",
        lambda s: (
            apply(L_star(s.j.p), _at(L(s.i.p), s.i.omega_in_body)) / 2
            + apply(R_star(s.i.p), _at(L(s.j.p), s.j.omega_in_body)) / 2
            - _rate(s)
        ),
    ),
    Identity(
        "000-39",
        "pddot_ij, term by term",
        lambda s: (
            relative_second_rate((s.i.p, s.j.p), (s.i.pdot, s.j.pdot), (s.i.pddot, s.j.pddot))
            - _second_rate(s)
        ),
    ),
)
