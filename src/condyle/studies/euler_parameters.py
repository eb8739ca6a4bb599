"""The appendix on Euler parameters (paper 002): identities, Kane's equations, and where Euler angles fail."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.solve import Trajectories
from condyle.spatial import euler
from condyle.spatial.euler.normality import dependent_parameter
from condyle.studies import spherical_chain, tumbling
from condyle.studies.base import Claim, Progress, StudyResult
from condyle.studies.identities import IDENTITIES, Sample

NAME = "euler-parameters"
TITLE = "Euler parameters in Kane's equations: free body, spherical chain, and motion that no angles follow"

TOLERANCE = 1e-10
TIGHT = 1e-13
STATES = 300


def run(progress: Progress) -> StudyResult:
    """Everything that the appendix states, evaluated."""
    progress("identities at random motions")
    identities = _identities()
    progress("a free body: three solutions, a top, tumbling")
    body, motion = _free_body()
    progress("the same tumbling in twelve sequences of angles")
    sequences = _sequences(motion)
    progress("a chain of spherical joints in three formulations, and in angles")
    figures = {
        "identities": identities,
        "free_body": body,
        "sequences": sequences,
        "chain": spherical_chain.figures(),
    }
    return StudyResult(NAME, figures, _claims(figures))


def _identities() -> dict[str, Any]:
    sample = Sample.of(STATES, seed=1)
    appendix = [identity for identity in IDENTITIES if identity.equation.startswith("002")]
    held = [identity.residual(sample) for identity in appendix if not identity.misprint]
    return {
        "checked": len(held),
        "largest_residual": max(held),
        "misprints": {i.name: i.residual(sample) for i in appendix if i.misprint},
    }


def _free_body() -> tuple[dict[str, Any], np.ndarray]:
    """Figures, and the motion e (nt, 4) at the tight tolerance."""
    rng = np.random.default_rng(2)
    e = rng.normal(size=(STATES, 4))
    e /= np.linalg.norm(e, axis=1, keepdims=True)
    edot = euler.rate_from_body(e, rng.normal(size=(STATES, 3)))
    force, torque = rng.normal(size=(2, STATES, 3))
    tumbler = tumbling.BODY
    bordered, multiplier = tumbler.bordered(e, edot, force, torque)
    closed, embedded = (solve(e, edot, force, torque) for solve in (tumbler.closed, tumbler.embedded))
    start = tumbling.with_rates(tumbling.START)
    exact = tumbling.tumble(tumbling.parameter_system(tumbler.embedded), start, TIGHT)
    by_parameters = tumbling.tumble(tumbling.parameter_system(tumbler.embedded), start, TOLERANCE)
    omega = np.concatenate([tumbling.START, tumbling.SPIN])
    by_velocity = tumbling.tumble(tumbling.velocity_system(), omega, TOLERANCE)
    chosen = dependent_parameter(exact.states[:, :4])
    generic = tumbling.with_rates(np.full(4, 0.5))
    fixed = {f"e{k}": _with_fixed(k, generic) for k in range(4)}
    figures = {
        "solutions_apart": float(max(np.abs(bordered - closed).max(), np.abs(embedded - closed).max())),
        "normality_multiplier": float(np.abs(multiplier).max()),
        "mass_matrix_rank": sorted(
            {int(r) for r in np.linalg.matrix_rank(tumbler.mass_matrix(e), tol=1e-10)}
        ),
        "top_error": tumbling.top_error(TIGHT),
        "momentum_drift": tumbling.momentum_drift(exact),
        "tolerance": TOLERANCE,
        "evaluations": {"rates": int(by_parameters.evaluations), "velocity": int(by_velocity.evaluations)},
        "error": {
            "rates": tumbling.orientation_error(by_parameters.states[:, :4], exact.states[:, :4]),
            "velocity": tumbling.orientation_error(by_velocity.states[:, :4], exact.states[:, :4]),
        },
        "choices": int(np.count_nonzero(np.diff(chosen))),
        "frames_of_choice": np.bincount(chosen, minlength=4),
        "fixed_choice_end": {name: float(found.final_time) for name, found in fixed.items()},
        "motion": {"time": tumbling.TIMES, "e": exact.states[:, :4], "dependent": chosen},
    }
    return figures, exact.states[:, :4]


def _with_fixed(dependent: int, start: np.ndarray) -> Trajectories:
    """Tumbling with one parameter dependent throughout."""

    def solution(*state: Any) -> Any:
        e, edot, force, torque = state
        return tumbling.BODY.embedded(e, edot, force, torque, dependent)

    return tumbling.tumble(tumbling.parameter_system(solution), start, TOLERANCE)


def _sequences(motion: np.ndarray) -> dict[str, Any]:
    """Per sequence: angles and parameters on the tumbling, turned so that the angles fail half-way."""
    found = {}
    parameters = tumbling.parameter_system(tumbling.BODY.embedded)
    for sequence in euler.SEQUENCES:
        path = tumbling.turned_into_singularity(sequence, motion)
        angles = euler.sequence_from_parameters(sequence, path)
        rates = tumbling.tumble(parameters, tumbling.with_rates(path[0]), TOLERANCE)
        start = np.concatenate([angles[0], tumbling.SPIN])
        followed = tumbling.tumble(tumbling.angle_system(sequence), start, TOLERANCE)
        W = euler.rate_matrix(sequence, angles[tumbling.MIDDLE])
        found[sequence] = {
            "smallest_singular_value": float(np.linalg.svd(W, compute_uv=False)[-1]),
            "angles_end": float(followed.final_time),
            "angles_evaluations": int(followed.evaluations),
            "parameters_end": float(rates.final_time),
            "parameters_evaluations": int(rates.evaluations),
            "parameters_error": tumbling.orientation_error(rates.states[:, :4], path),
        }
    return found


def _claims(figures: dict[str, Any]) -> tuple[Claim, ...]:
    identities, body, chain = figures["identities"], figures["free_body"], figures["chain"]
    sequences, end = figures["sequences"], tumbling.TIMES[-1]
    singular = [name for name, found in sequences.items() if found["smallest_singular_value"] < 1e-12]
    costly = {
        name: found["angles_evaluations"] / found["parameters_evaluations"]
        for name, found in sequences.items()
    }
    stopped = [name for name, found in sequences.items() if found["angles_end"] < end]
    through = [name for name, found in sequences.items() if found["parameters_end"] == end]
    fixed = [name for name, reached in body["fixed_choice_end"].items() if reached == end]
    return (
        Claim(
            "equations B.1 to B.35 (largest residual of those that hold)",
            0,
            identities["largest_residual"],
            identities["largest_residual"] < 1e-13,
        ),
        Claim(
            "the same as printed (equations whose printed form fails)",
            0,
            len(identities["misprints"]),
            not identities["misprints"],
        ),
        Claim(
            "every sequence of angles has orientations where the first and third axes align (sequences)",
            12,
            len(singular),
            len(singular) == 12,
        ),
        Claim(
            "the singularity can lead to failures in simulations (sequences that stop there)",
            "some",
            len(stopped),
            len(stopped) > 0,
        ),
        Claim(
            "Euler parameters avoid it (of the same twelve motions, those followed to the end)",
            12,
            len(through),
            len(through) == 12,
        ),
        Claim(
            "angles that come through take more evaluations (smallest ratio to Euler parameters)",
            "more",
            min(costly.values()),
            min(costly.values()) > 1,
        ),
        Claim(
            "mass matrices on Euler parameters are singular (rank of the 7 x 7 of a free body)",
            "below 7",
            max(body["mass_matrix_rank"]),
            body["mass_matrix_rank"] == [6],
        ),
        Claim(
            "normality takes one equation out (three solutions apart, relative)",
            "equal",
            body["solutions_apart"],
            body["solutions_apart"] < 1e-12,
        ),
        Claim(
            "with a fixed dependent parameter a tumbling body is not followed (choices that reach the end)",
            "not discussed",
            len(fixed),
            not fixed,
        ),
        Claim(
            "symmetric top against its closed form (largest error)",
            0,
            body["top_error"],
            body["top_error"] < 1e-10,
        ),
        Claim(
            "spherical joints in the recursion: accelerations as in the other formulations (relative)",
            "equal",
            max(chain["acceleration_difference"].values()),
            max(chain["acceleration_difference"].values()) < 1e-10,
        ),
        Claim(
            "the same motion of the chain over 4 s (rotations, and positions in m)",
            "equal",
            max(chain["motion_difference"].values()),
            max(chain["motion_difference"].values()) < 1e-9,
        ),
        Claim(
            "the same chain with one ball in angles reaches the end (s of 4)",
            "not with Euler angles",
            chain["angles_end"],
            chain["angles_end"] < chain["duration"],
        ),
    )
