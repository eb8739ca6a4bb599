"""Models of the benchmark problems, loops by multipliers: against published numbers and closed forms."""

from __future__ import annotations

import warnings

import casadi as ca
import numpy as np
import pytest

import condyle as cd
from condyle.library.andrews import BETA_IFTOMM, BETA_IVP, TORQUE, andrews, angles, loop_equations
from condyle.library.bricard import CORNERS, bricard
from condyle.library.four_bars import TIP_SPEED, four_bars, lean_acceleration, lean_energy
from condyle.library.governor import SPIN, governor
from condyle.library.pendulum import GRAVITY, pendulum
from condyle.solve import DormandPrince853

PUBLISHED_NAMES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
#: IVP test set: start, and at 0.03 s angles, rates and accelerations (good to 1.4e-9 rad, 5.4e-7 rad/s, 1e-7
#: of the largest acceleration).
START = (
    *(-0.0617138900142764, 0.0, 0.455279819163070),
    *(0.222668390165886, 0.487364979543843, -0.222668390165886, 1.23054744454982),
)
AT_30_MS = (
    (
        *(15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948),
        *(0.5244099658805303, 0.5347301163226948, 1.048080741042263),
    ),
    (
        *(1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385),
        *(0.5735699284790808, -19.29337464421385, 0.3231791658026955),
    ),
    (
        *(-24631.76316945196, 51850.37701610329, 324102.5686413781, 566749.3645176213),
        *(16743.62929479361, -566749.3645176222, 9826.520791458423),
    ),
)


def with_multipliers(model: cd.Model, **options) -> cd.Mechanism:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*follow from the others")
        mechanism = cd.compile(model, loops="multipliers", **options)
        assert mechanism.constraint_report.rank
    return mechanism


@pytest.fixture(scope="module")
def squeezer() -> cd.Mechanism:
    return with_multipliers(andrews())


def ours(published, mechanism: cd.Mechanism) -> np.ndarray:
    """Published angles (or rates, or accelerations) as those of our pins."""
    named = dict(zip(PUBLISHED_NAMES, published, strict=True))
    named["chi"] = named["beta"] + named["Theta"] - named["Omega"] - named["epsilon"]
    return np.array([named[name.removesuffix(".angle")] for name in mechanism.coordinates])


def test_andrews_is_assembled_at_any_crank_angle(squeezer):
    """The closed form closes all loops, follows continuously over a turn, and starts as published."""
    turn = np.linspace(-np.pi, np.pi, 401)
    names = [name.removesuffix(".angle") for name in squeezer.coordinates]
    poses = np.array([[angles(beta)[name] for name in names] for beta in turn])
    assert np.abs(squeezer.constraint_residual(poses)).max() <= 1e-16
    assert np.abs(np.diff(poses, axis=0)).max() < 0.1
    np.testing.assert_allclose(poses[0][1:], poses[-1][1:], rtol=0, atol=1e-14)
    start = [angles(BETA_IVP)[name] for name in names]
    np.testing.assert_allclose(start, ours(START, squeezer), rtol=0, atol=1e-14)
    ears = squeezer.marker_positions(squeezer.default_state()[0])
    np.testing.assert_allclose(ears["F"], (0.00698655030921248, -0.000433722004102858, 0), atol=1e-16)


def test_andrews_closes_by_equation_199():
    """The six equations, written once more with the paper's joint variables, and as the library has them."""
    equations = loop_equations()
    OF, AH, HE, EF, AG, GE, BE = 0.007, 0.04, 0.02, 0.028, 0.04, 0.02, 0.035
    A, B = (-0.06934, -0.00227), (-0.03635, 0.03273)
    q, s = ca.SX.sym("q", 1), ca.SX.sym("s", 6)
    residual = ca.Function("g", [q, s], [equations.residual(q, s)])
    draw = np.random.default_rng(4)
    for beta in draw.uniform(-3, 3, 5):
        pose = angles(beta)
        dependents = np.array([pose[name.removesuffix(".angle")] for name in equations.dependents])
        assert np.abs(residual(beta, dependents).full()).max() <= 1e-16
        # Off the solution, too, term by term.
        dependents += draw.standard_normal(6)
        epsilon, Omega, chi, delta, Phi, gamma = dependents
        th2, th3, th4 = epsilon - np.pi / 2, delta, gamma - np.pi / 2
        th5, th6, th7 = Phi - np.pi / 2, Omega + np.pi / 2, chi
        expected = []
        for turned, a, b in zip((np.cos, np.sin), A, B, strict=True):
            E = AH * turned(th2) + HE * turned(th2 + th6)
            expected += [
                [a + E + EF * turned(th2 + th6 + th7) - OF * turned(beta)],
                [AG * turned(th3) + GE * turned(th3 + th5) - E],
                [a + E - BE * turned(th4) - b],
            ]
        wanted = np.array([expected[k] for k in (0, 3, 1, 4, 2, 5)])
        np.testing.assert_allclose(residual(beta, dependents).full(), wanted, rtol=0, atol=1e-16)


def test_andrews_accelerates_as_published(squeezer):
    """At rest, and at the published state at 0.03 s; seven accelerations, torque on the crank alone."""
    tau = np.zeros(7)
    tau[squeezer.speeds.index("beta.angle")] = TORQUE
    at_rest = squeezer.forward_dynamics(ours(START, squeezer), np.zeros(7), tau)
    expected = ours((14222.443919954114, -10666.832939965585, 0, 0, 0, 0, 0), squeezer)
    np.testing.assert_allclose(at_rest, expected, rtol=0, atol=1e-9 * 14222)
    q, u, udot = (ours(published, squeezer) for published in AT_30_MS)
    found = squeezer.forward_dynamics(q, u, tau)
    np.testing.assert_allclose(found, udot, rtol=0, atol=1e-7 * np.abs(udot).max())


def test_andrews_moves_as_published():
    """0.03 s from the start of the IVP test set, 0.05 s from that of IFToMM; energy is the torque's work."""
    found = []
    for start, end in ((BETA_IVP, 0.03), (BETA_IFTOMM, 0.05)):
        mechanism = with_multipliers(andrews(start))
        tau = [TORQUE if name == "beta.angle" else 0.0 for name in mechanism.speeds]
        motion = cd.simulate(
            mechanism,
            *mechanism.default_state(),
            np.linspace(0, end, 11),
            tau=tau,
            method=DormandPrince853(),
            rtol=1e-12,
            atol=1e-12,
            constraint_tolerance=1e-13,
        )
        beta = motion.coordinate("beta.angle")
        work = TORQUE * (beta - start)
        assert np.abs(motion.energy - motion.energy[0] - work).max() <= 1e-11
        found.append((beta[-1], motion.u[-1, mechanism.speeds.index("beta.angle")]))
    # Of an independent implementation; the published 15.81077119629904 deviates by 1e-9.
    assert found[0] == pytest.approx((15.810771195152, 1139.92030225894), rel=1e-11)
    assert found[1] == pytest.approx((33.8153407213, 1140.942733435), rel=2e-11)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_four_bars_lean_as_by_hand(count):
    """Acceleration and energy of the one degree of freedom, from the sum of the bars'."""
    mechanism = with_multipliers(four_bars(count))
    q, _ = mechanism.default_state()
    uprights = [k for k, name in enumerate(mechanism.coordinates) if name.startswith("upright")]
    sign = np.where(np.isin(np.arange(q.size), uprights), -1.0, 1.0)
    for lean, rate in ((0.0, TIP_SPEED), (0.7, -2.0), (2.9, 4.0)):
        udot = mechanism.forward_dynamics(sign * lean, sign * rate)
        np.testing.assert_allclose(udot, sign * lean_acceleration(count, lean), rtol=0, atol=1e-12)
        energy = mechanism.kinetic_energy(sign * lean, sign * rate) + mechanism.potential_energy(sign * lean)
        assert energy == pytest.approx(lean_energy(count, lean, rate), rel=1e-14)
    leaning = with_multipliers(four_bars(count, 0.7)).default_state()[0]
    np.testing.assert_array_equal(leaning, sign * 0.7)
    assert np.abs(mechanism.constraint_residual(leaning)).max() <= 1e-15


def test_bricard_moves_although_it_is_overconstrained():
    """Four of five equations of the sixth pin are independent; it keeps its energy and its symmetry.

    The speeds satisfy the fifth only as well as the positions do, whatever the tolerance.
    """
    mechanism = with_multipliers(bricard())
    assert mechanism.constraint_report.rank == 4
    q, u = mechanism.default_state()
    assert not q.any()
    np.testing.assert_array_equal(mechanism.marker_positions(q)["P3"], CORNERS[3])
    for tolerance in (1e-12, 1e-8, 1e-10):
        motion = cd.simulate(mechanism, q, u, 10.0, rtol=1e-9, atol=1e-9, constraint_tolerance=tolerance)
        assert motion.status == cd.Status.OK and motion.constraint_residual <= tolerance
    assert motion.energy_drift <= 1e-5
    assert np.abs(motion.q).max() > 1.0
    np.testing.assert_allclose(motion.q[:, [2, 4, 3]], motion.q[:, [0, 0, 1]], rtol=0, atol=1e-6)
    # Released at rest it swings, about twice in 5 s, between poses of one height half a turn apart.
    height = mechanism.potential_energy(motion.q)
    assert height.max() - height[0] <= 1e-5 and height.min() < height[0] - 4.0


def test_bricard_closes_wherever_it_moves():
    """Embedded, between its dead points: the four equations that are solved determine the motion throughout.

    Near the default pose other four of the five are as good, but these fall short half a turn away.
    """
    mechanism, constrained = cd.compile(bricard()), with_multipliers(bricard())
    assert mechanism.coordinates == ("pin_0.angle",)
    q = np.linspace(-np.pi / 6 + 1e-3, 7 * np.pi / 6 - 1e-3, 501)[:, None]
    closed = mechanism.close(q)
    assert (closed.status == cd.Status.OK).all()
    s = closed.joint_values
    assert np.abs(constrained.constraint_residual(s)).max() <= 1e-12
    assert np.abs(np.diff(s, axis=0)).max() < 0.2
    np.testing.assert_allclose(s[:, [2, 4, 3]], s[:, [0, 0, 1]], rtol=0, atol=1e-9)
    assert (mechanism.close([[-0.53], [3.67]]).status != cd.Status.OK).all()
    motions = [
        cd.simulate(item, *item.default_state(), [0.0, 4.0], rtol=1e-10, atol=1e-10)
        for item in (mechanism, constrained)
    ]
    np.testing.assert_allclose(motions[0].joint_values, motions[1].q, rtol=0, atol=1e-7)


def test_governor_rises_as_elsewhere():
    """Height of the slider, of an independent implementation (OpenSim 4.6 gives the same 8 digits)."""
    mechanism = cd.compile(governor())
    q, u = mechanism.default_state()
    u[mechanism.speeds.index("spin.angle")] = SPIN
    motion = cd.simulate(mechanism, q, u, [0.0, 0.1, 0.5], method=DormandPrince853(), rtol=1e-9, atol=1e-9)
    height = motion.coordinate("s.displacement")
    np.testing.assert_allclose(height, (0.5, 0.52383648, 0.74324942), rtol=0, atol=1e-8)
    np.testing.assert_allclose(motion.coordinate("rod_1.angle"), motion.coordinate("rod_2.angle"), atol=1e-9)
    about_shaft = mechanism.momentum(motion.q, motion.u)[0][:, 1]
    np.testing.assert_allclose(about_shaft, about_shaft[0], rtol=1e-7)


def test_pendulum_is_simple():
    """Released level from the left; speed by energy, acceleration by its law."""
    mechanism = cd.compile(pendulum())
    q, u = mechanism.default_state()
    np.testing.assert_allclose(mechanism.marker_positions(q)["P1"], (-1, 0, 0), atol=1e-15)
    motion = cd.simulate(mechanism, q, u, 2.0, method=DormandPrince853(), rtol=1e-12, atol=1e-12)
    x, y, _ = mechanism.marker_positions(motion.q)["P1"].T
    np.testing.assert_allclose(motion.u[:, 0] ** 2, -2 * GRAVITY * y, rtol=0, atol=1e-9)
    np.testing.assert_allclose(mechanism.forward_dynamics(motion.q, motion.u)[:, 0], -GRAVITY * x, atol=1e-13)
