"""What tables 1 and 2 have in common: times of a mobilizer, of a plain joint and of the constrained twins,
and the claims about them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from condyle.studies import twins
from condyle.studies.base import Claim, Progress

#: Why the twins are not slower by the paper's factors.
REASON = "the paper's constraints pay a general multiplier solver; here all are straight-line code"


def timing_figures(
    contenders: Mapping[str, twins.Contender],
    released: Mapping[str, twins.Contender],
    pairs: Mapping[str, tuple[str, str]],
    duration: float,
    progress: Progress,
) -> dict[str, Any]:
    """The figures of both tables: ratios (over, under) of `pairs` in accelerations, and in simulations from
    the states of `released`.
    """
    progress("timing accelerations and reaction loads")
    accelerations = twins.acceleration_times(contenders)
    progress(f"timing simulations at tolerance {twins.TOLERANCE:g}")
    simulations = twins.simulation_times(released, duration, twins.TOLERANCE, twins.MEMBERS)
    of_twins = {name: pair for name, pair in pairs.items() if "twin" in name}
    needed = {name for pair in of_twins.values() for name in pair}
    by_tolerance = {f"{twins.TOLERANCE:.0e}": simulations.scalar.ratios(of_twins)}
    for tolerance in twins.TIGHTER_TOLERANCES:
        progress(f"timing simulations at tolerance {tolerance:g}")
        chosen = {name: contender for name, contender in released.items() if name in needed}
        tighter = twins.simulation_times(chosen, duration, tolerance, max(1, twins.MEMBERS // 4))
        by_tolerance[f"{tolerance:.0e}"] = tighter.scalar.ratios(of_twins)
    evaluations = simulations.evaluations
    per_evaluation = {
        name: simulations.scalar.ratio(over, under) * evaluations[under] / evaluations[over]
        for name, (over, under) in pairs.items()
    }
    return {
        "acceleration_time_ratio": accelerations["chained"].ratios(pairs),
        "acceleration_time_ratio_quartiles": accelerations["chained"].spreads(pairs),
        "acceleration_time_ratio_independent_states": accelerations["scalar"].ratios(pairs),
        "acceleration_time_ratio_lanes": accelerations["lanes"].ratios(pairs),
        "simulation_time_ratio": simulations.scalar.ratios(pairs),
        "simulation_time_ratio_quartiles": simulations.scalar.spreads(pairs),
        "simulation_time_ratio_per_evaluation": per_evaluation,
        "simulation_time_ratio_lanes": simulations.lanes.ratios(pairs),
        "simulation_time_ratio_by_tolerance": by_tolerance,
        "simulation_evaluations": evaluations,
        "acceleration_times": {kind: rounds.times() for kind, rounds in accelerations.items()},
        "simulation_times": {"scalar": simulations.scalar.times(), "lanes": simulations.lanes.times()},
    }


def operation_claims(figures: Mapping[str, Any], mobilizer: str) -> tuple[Claim, ...]:
    """Operations of the mobilizer against the twins', and of the twin against an elimination by hand."""
    operations = figures["operations"]
    least = min(operations[name] for name in ("dense_twin", "general_twin")) / operations[mobilizer]
    by_hand = operations["general_twin"] / operations["hand_derived_twin"]
    return (
        Claim(f"operations: either twin / {mobilizer} > 1 (the smaller)", "> 1", least, least > 1),
        Claim("operations: twin / shortest elimination by hand", "<= 1.1", by_hand, by_hand <= 1.1),
    )


def time_claims(
    figures: Mapping[str, Any], mobilizer: str, plain: str, paper: Mapping[str, float], expected: float
) -> tuple[Claim, ...]:
    """The mobilizer against the plain joint.

    paper: the ratios "acceleration", "simulation" (mobilizer / plain) and "acceleration_speedup",
    "simulation_speedup".
    """
    pair = f"{mobilizer}_over_{plain}"
    acceleration, simulation = (
        figures["acceleration_time_ratio"][pair],
        figures["simulation_time_ratio"][pair],
    )
    per_evaluation = figures["simulation_time_ratio_per_evaluation"][pair]
    more = figures["simulation_evaluations"][mobilizer] / figures["simulation_evaluations"][plain]
    return (
        Claim(
            f"time of accelerations and loads: {mobilizer} / {plain} (expected here <= {expected})",
            paper["acceleration"],
            acceleration,
            acceleration <= expected,
        ),
        Claim(
            f"time of simulation: {mobilizer} / {plain} <= {expected} (in {more:.2f} times the evaluations)",
            paper["simulation"],
            simulation,
            simulation <= expected,
        ),
        Claim(
            f"time of simulation per evaluation: {mobilizer} / {plain} <= {expected}",
            paper["simulation"],
            per_evaluation,
            per_evaluation <= expected,
        ),
    )


def speedup_claims(
    figures: Mapping[str, Any], mobilizer: str, paper: Mapping[str, float], remark: str = REASON
) -> tuple[Claim, ...]:
    """The faster of the twins against the mobilizer; `mobilizer` as in the names of the ratios."""
    names = [f"{twin}_over_{mobilizer}" for twin in ("dense_twin", "general_twin")]
    acceleration, simulation = (
        min(figures[f"{kind}_time_ratio"][name] for name in names) for kind in ("acceleration", "simulation")
    )
    by_tolerance = figures["simulation_time_ratio_by_tolerance"]
    least = min(ratios[name] for ratios in by_tolerance.values() for name in names)
    shown = mobilizer.replace("_", " ")
    return (
        Claim(
            f"time of accelerations and loads: faster twin / {shown} > 1 ({remark})",
            paper["acceleration_speedup"],
            acceleration,
            acceleration > 1,
        ),
        Claim(
            f"time of simulation: faster twin / {shown} > 1 ({remark})",
            paper["simulation_speedup"],
            simulation,
            simulation > 1,
        ),
        Claim(
            f"time of simulation at 1e-4, 1e-6 and 1e-8: faster twin / {shown} > 1 (the least)",
            "> 1",
            least,
            least > 1,
        ),
    )
