"""Kinematic analysis and inverse dynamics of the 26-body human, and E-rot against A-rot, per frame."""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle.bench.agreement import agreement
from condyle.bench.human import Driven, driven
from condyle.bench.row import Row
from condyle.bench.sizes import Sizes
from condyle.bench.timing import interleaved

KINEMATIC, DYNAMIC = 0.2, 0.05  # ms
ROUNDS = 11
#: Table 3 of the paper, ms per frame: A-rot and E-rot, kinematic and dynamic, upper limb (mean) and gait.
PAPER = {"upper_limb": ((13.410, 8.785), (0.1935, 0.0395)), "gait": ((28.947, 17.719), (0.695, 0.173))}


def kinematic_analysis(sizes: Sizes) -> Row:
    """Positions, velocities and accelerations by E-rot; the whole call with its checks is beside it."""
    row, human = Row("kinematic_analysis_26", "ms per frame"), driven(sizes, "euler")
    frames, few = sizes.frames, min(sizes.frames, 20)
    row.figures |= _described(human)
    row.figures["agreement"] = agreement(
        "positions", human.analysis.whole[0][:few], human.numpy_kinematics(few)
    )
    found = interleaved(
        {
            "condyle": (human.kinematics, frames),
            "condyle, the whole call": (lambda: _whole(human), frames),
            "numpy, dense": (lambda: human.numpy_kinematics(few), few),
        },
        min(sizes.rounds, ROUNDS),
    )
    row.condyle = found["condyle"].median * 1e3
    row.figures["whole_call"] = found["condyle, the whole call"].median * 1e3
    row.compare("numpy, dense", found["numpy, dense"].median * 1e3)
    row.spread(found, 1e3)
    row.at_most(row.condyle, KINEMATIC)
    return row


def inverse_dynamics(sizes: Sizes) -> Row:
    """Multipliers by E-rot, and with them the torques of all joints."""
    row, human = Row("inverse_dynamics_26", "ms per frame"), driven(sizes, "euler")
    frames, few = sizes.frames, min(sizes.frames, 20)
    row.figures |= _described(human)
    row.figures["agreement"] = agreement("multipliers", human.dynamics()[:few], human.numpy_dynamics(few))
    found = interleaved(
        {
            "condyle": (lambda: human.torques(human.dynamics()), frames),
            "condyle, multipliers alone": (human.dynamics, frames),
            "numpy, dense": (lambda: human.numpy_dynamics(few), few),
        },
        min(sizes.rounds, ROUNDS),
    )
    row.condyle = found["condyle"].median * 1e3
    row.figures["multipliers_alone"] = found["condyle, multipliers alone"].median * 1e3
    row.compare("numpy, dense", found["numpy, dense"].median * 1e3)
    row.spread(found, 1e3)
    row.at_most(row.condyle, DYNAMIC)
    return row


def e_over_a(sizes: Sizes) -> Row:
    """A-rot / E-rot, kinematics and dynamics: A-rot by least squares, and by pivoted QR or least norm."""
    row = Row("drivers_e_over_a", "ms per frame")
    euler, angle = driven(sizes, "euler"), driven(sizes, "angle")
    row.figures["agreement"] = max(
        agreement("positions", angle.analysis.q, euler.analysis.q),
        agreement("torques", angle.torques(angle.dynamics()), euler.torques(euler.dynamics())),
        agreement("torques, basic", angle.torques(angle.basic()), euler.torques(euler.dynamics())),
    )
    frames = sizes.frames
    found = interleaved(
        {
            "E-rot, kinematics": (euler.kinematics, frames),
            "A-rot, kinematics": (angle.kinematics, frames),
            "E-rot, dynamics": (euler.dynamics, frames),
            "A-rot, dynamics, least norm": (angle.dynamics, frames),
            "A-rot, dynamics, basic": (angle.basic, frames),
            "E-rot, dynamics, dense": (euler.basic, frames),
        },
        min(sizes.rounds, ROUNDS),
    )
    ms = {name: timing.median * 1e3 for name, timing in found.items()}
    row.condyle = ms
    ratios = {
        "kinematics": ms["A-rot, kinematics"] / ms["E-rot, kinematics"],
        "dynamics, least norm": ms["A-rot, dynamics, least norm"] / ms["E-rot, dynamics"],
        "dynamics, as the paper": ms["A-rot, dynamics, basic"] / ms["E-rot, dynamics"],
        "dynamics, both by pivoted QR": ms["A-rot, dynamics, basic"] / ms["E-rot, dynamics, dense"],
    }
    row.figures |= {
        "a_over_e": ratios,
        "faster_percent": {name: 100 * (1 - 1 / ratio) for name, ratio in ratios.items()},
        "paper_a_over_e": {
            limb: {"kinematics": k[0] / k[1], "dynamics": d[0] / d[1]} for limb, (k, d) in PAPER.items()
        },
        "rows": {"E-rot": len(euler.analysis.row_names), "A-rot": len(angle.analysis.row_names)},
        "speeds": len(euler.mechanism.speeds),
        "frames": frames,
    }
    row.spread(found, 1e3)
    row.target = "E-rot faster in both"
    row.holds = ratios["kinematics"] > 1 and ratios["dynamics, least norm"] > 1
    grows = ratios["dynamics, least norm"] > ratios["kinematics"]
    row.figures["grows_in_dynamics"] = grows
    if not grows:
        row.notes.append(
            "in the paper the ratio grows from kinematics to dynamics, where a square system stands against "
            "a rectangular one; here both kinds use one sparse factorisation, and it does not. By pivoted QR "
            "of the whole matrix, the paper's solver, A-rot takes as long as 'A-rot, dynamics, basic' says"
        )
    return row


def _whole(human: Driven) -> cd.analyses.KinematicAnalysis:
    return cd.kinematic_analysis(human.mechanism, human.equations.drivers, human.motion)


def _described(human: Driven) -> dict[str, object]:
    found = human.analysis
    return {
        "bodies": len(human.mechanism.bodies),
        "rows": len(found.row_names),
        "speeds": len(human.mechanism.speeds),
        "frames": len(found.q),
        "iterations": float(np.mean(found.iterations)),
        "failed_frames": int((found.status != cd.Status.OK).sum()),
        "operations": human.equations.step().operations,
    }
