"""Andrews' squeezing mechanism (eq. 199, figures 16 to 18): loops embedded against a stabilised DAE."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

import condyle as cd
from condyle.bench import squeezer
from condyle.bench.squeezer import ERROR, TIMES, TOLERANCE, Contender, Curve, curves, ratios, rms
from condyle.library.andrews import BETA_IVP, TORQUE, andrews, loop_equations
from condyle.solve import TRBDF2, DormandPrince54, DormandPrince853
from condyle.studies.base import Claim, Progress, StudyResult

NAME = "andrews"
TITLE = "Andrews' squeezing mechanism: embedded loops against a stabilised DAE"

ROUNDS, MEMBERS = 7, 4  # of timing
GRID = 0.01  # rad, of figure 17
#: Of an independent implementation: beta, its rate at 0.03 s (IVP start), beta at 0.05 s (-0.0620).
REFERENCE_IVP, REFERENCE_IFTOMM = (15.810771195152, 1139.92030225894), 33.8153407213
EXPLICIT_TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
PAPER_DAE = "dae, velocity projection"


def run(progress: Progress) -> StudyResult:
    """Compare motions, errors and times of all forms."""
    with warnings.catch_warnings():
        # Pins of a planar mechanism say the same three times over.
        warnings.filterwarnings("ignore", message=".*follow from the others")
        return _run(progress)


def _run(progress: Progress) -> StudyResult:
    progress("compiling: Fourier series, implicit loops, multipliers")
    forms = squeezer.contenders()
    exact = squeezer.truth(forms["implicit"])
    beta, rate = _published()
    progress("TR-BDF2")
    found = curves(forms, TRBDF2(), exact, rounds=ROUNDS, members=MEMBERS, progress=progress)
    progress("Dormand-Prince 5(4)")
    # So short that entering the integrator from Python must be shared out among more motions.
    explicit = curves(
        forms, DormandPrince54(), exact, EXPLICIT_TOLERANCES, rounds=ROUNDS, members=8 * MEMBERS
    )
    motions = {name: form.motion(TRBDF2(), TOLERANCE) for name, form in forms.items()}
    apart = rms(motions["fourier"], motions[PAPER_DAE])
    ratio = {
        f"{over}_{measure}": value
        for over in ("fourier", "implicit")
        for measure, (_, value) in ratios(found, forms, over).items()
    }
    last, fourier = found[PAPER_DAE], found["fourier"]
    figures = {
        "beta_0p03": beta,
        "betadot_0p03": rate,
        "beta_0p05": float(exact[-1, 0]),
        "rms_position": float(apart[0]),
        "rms_speed": float(apart[1]),
        "rms_pairs": {name: rms(motions["fourier"], motions[name]) for name in motions if name != "fourier"},
        "time_ratio": ratio,
        "time_ratio_velocity_projection": {
            "equal_tolerance": float(last.seconds[-1] / fourier.seconds[-1]),
            "equal_error": last.seconds_at(ERROR) / fourier.seconds_at(ERROR),
        },
        "time_ratio_own_norms": float(found["dae, projection, own norm"].seconds[-1] / fourier.seconds[-1]),
        "time_ratio_dormand_prince54": _explicit_ratios(explicit, forms),
        "work_precision": _diagram(found),
        "work_precision_dormand_prince54": _diagram(explicit),
        "tolerance": TOLERANCE,
        "error": ERROR,
        "operations": {name: form.system.rhs.operations for name, form in forms.items()},
        "fit": _fit(),
        "figure_17": _figure_17(),
        "figure_18": {"time": TIMES, "angle": motions["fourier"][:, 0], "speed": motions["fourier"][:, 1]},
    }
    return StudyResult(NAME, figures, _claims(figures))


def _published() -> tuple[float, float]:
    """Beta and its rate 0.03 s after the start of the IVP test set, loops implicit."""
    mechanism = cd.compile(andrews(BETA_IVP), independent=("beta.angle",))
    motion = cd.simulate(
        mechanism,
        *mechanism.default_state(),
        (0.0, 0.03),
        tau=(TORQUE,),
        method=DormandPrince853(),
        rtol=1e-13,
        atol=1e-13,
    )
    return float(motion.q[-1, 0]), float(motion.u[-1, 0])


def _explicit_ratios(found: Mapping[str, Curve], forms: Mapping[str, Contender]) -> dict[str, float]:
    return {measure: value for measure, (_, value) in ratios(found, forms, "fourier").items()}


def _diagram(found: Mapping[str, Curve]) -> dict[str, Any]:
    return {
        name: {
            "tolerance": curve.tolerance,
            "time_s": curve.seconds,
            "rms_position": curve.rms[:, 0],
            "rms_speed": curve.rms[:, 1],
            "steps": curve.steps,
        }
        for name, curve in found.items()
    }


def _fit() -> dict[str, Any]:
    """Largest errors of the series: value, first, second derivative."""
    series = squeezer.series()
    return {
        "harmonics": squeezer.HARMONICS,
        "errors": np.array(series.errors).max(axis=0),
        "coefficients": 2 * squeezer.HARMONICS * len(series.functions),
    }


def _figure_17() -> dict[str, Any]:
    """The joint variables th2 to th7 over a turn of q = th1, by series; and how far from solutions."""
    q = np.arange(-np.pi, np.pi, GRID)[:, None]
    series, equations = squeezer.series(), loop_equations()
    fitted = series.value(q)
    solved = equations.value(q, fitted)
    shifts = {"epsilon": ("th2", -np.pi / 2), "delta": ("th3", 0.0), "gamma": ("th4", -np.pi / 2)}
    shifts |= {"Phi": ("th5", -np.pi / 2), "Omega": ("th6", np.pi / 2), "chi": ("th7", 0.0)}
    angles = {}
    for column, name in enumerate(series.dependents):
        paper, shift = shifts[name.removesuffix(".angle")]
        angles[paper] = fitted[:, column] + shift
    return {
        "q": q[:, 0],
        "angles": dict(sorted(angles.items())),
        "error": float(np.abs(fitted - solved).max()),
    }


def _claims(figures: Mapping[str, Any]) -> tuple[Claim, ...]:
    def relative(name: str, reference: float) -> float:
        return abs(figures[name] / reference - 1)

    ratio, velocity = figures["time_ratio"], figures["time_ratio_velocity_projection"]
    at_30_ms = max(relative("beta_0p03", REFERENCE_IVP[0]), relative("betadot_0p03", REFERENCE_IVP[1]))
    at_50_ms = relative("beta_0p05", REFERENCE_IFTOMM)
    own_norms = figures["time_ratio_own_norms"]
    claims = [
        Claim(
            "0.03 s, implicit: an independent implementation (relative)", "equal", at_30_ms, at_30_ms <= 1e-11
        ),
        Claim(
            "0.05 s, implicit: an independent implementation (relative)", "equal", at_50_ms, at_50_ms <= 1e-11
        ),
        _at_most("RMS of the angle, Fourier against DAE, 1000 points (rad)", 1e-4, figures["rms_position"]),
        _at_most("RMS of the speed, Fourier against DAE, 1000 points (rad/s)", 3e-3, figures["rms_speed"]),
        _four_times("velocity-stabilised DAE / Fourier, equal tolerance", velocity["equal_tolerance"]),
        _four_times("velocity-stabilised DAE / Fourier, equal error", velocity["equal_error"]),
        _four_times("best DAE / Fourier, equal tolerance", ratio["fourier_equal_tolerance"]),
        _four_times("best DAE / Fourier, equal error", ratio["fourier_equal_error"]),
        _four_times("best DAE / implicit, equal tolerance", ratio["implicit_equal_tolerance"]),
        _four_times("best DAE / implicit, equal error", ratio["implicit_equal_error"]),
        _four_times("DAE / Fourier, equal tolerance, each by the norm of its own states", own_norms),
    ]
    return tuple(claims)


def _at_most(text: str, paper: float, here: float) -> Claim:
    return Claim(text, paper, here, here <= paper)


def _four_times(text: str, ratio: float) -> Claim:
    return Claim(f"time of {text}", 4.0, ratio, ratio >= 4.0)
