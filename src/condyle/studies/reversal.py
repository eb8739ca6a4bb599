"""Section 2.4 (eq. 15-17, figure 3): reaching with the thorax fixed, push-up with the hand fixed, the same
coordinates.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

import condyle as cd
from condyle.joints import Ellipsoid, Reversed
from condyle.library.shoulder import HAND, free_root, push_up, reaching
from condyle.spatial import Placement, euler_parameters_from_rotation
from condyle.studies.base import Claim, Progress, StudyResult

NAME = "reversal"
TITLE = "Section 2.4: one arm rooted at the thorax and at the hand; reversed ellipsoid"

DURATION = 1.0
TOLERANCE = 1e-12
#: Section 11.2 of the specification: thorax (child) on a fixed scapula.
HEAVY = cd.Body("thorax", 20.0, (0.03, -0.15, -0.02), (1.1, 0.5, 1.1, 0.0, 0.0, 0.0))
REFERENCE = (-14.229835164, -1.638740803, -0.339184097)
PUSH = (3.0, -1.0, 2.0, 20.0, 60.0, -10.0)  # wrench of ground on the hand about the palm, ground axes


def reversed_ellipsoid() -> cd.Model:
    """Scapula fixed, thorax moving, by the thorax-to-scapula ellipsoid."""
    joint = Ellipsoid("joint", "thorax", "ground", radii=(0.10, 0.15, 0.07), orientation="xyz")
    return cd.Model("reversed_ellipsoid", (HEAVY,), (Reversed(joint),))


def speeds(time):
    """Prescribed joint speeds (by name) and their rates; works on floats, arrays and expressions."""
    amplitude = {"scapulothoracic": (0.5, -0.4, 0.3), "shoulder": (0.9, 1.2, -0.7), "elbow": (1.1,)}
    frequency = {"scapulothoracic": (4.0, 5.0, 3.0), "shoulder": (5.0, 4.0, 6.0), "elbow": (4.5,)}
    sine, cosine = (ca.sin, ca.cos) if isinstance(time, ca.SX) else (np.sin, np.cos)
    found = {}
    for joint, sizes in amplitude.items():
        rates = frequency[joint]
        found[joint] = (
            [a * sine(w * time) for a, w in zip(sizes, rates, strict=True)],
            [a * w * cosine(w * time) for a, w in zip(sizes, rates, strict=True)],
        )
    return found


def prescribed(mechanism: cd.Mechanism, time) -> tuple[list, list]:
    """(u, udot) in the order of the mechanism's speeds."""
    by_joint = speeds(time)
    u, udot = [], []
    for name in dict.fromkeys(speed.split(".")[0] for speed in mechanism.speeds):
        u += by_joint[name][0]
        udot += by_joint[name][1]
    return u, udot


def driven(mechanism: cd.Mechanism, times: np.ndarray) -> cd.analyses.Simulation:
    """Forward simulation under the torques that inverse dynamics finds for the prescribed motion."""
    inverse = mechanism.function("inverse_dynamics")

    def torques(time: ca.SX, q: ca.SX, u: ca.SX) -> ca.SX:
        _, udot = prescribed(mechanism, time)
        return inverse(q, u, ca.vertcat(*udot), time, [], [], [])

    q, u = mechanism.default_state()
    u[:] = prescribed(mechanism, 0.0)[0]
    return cd.simulate(mechanism, q, u, times, controller=torques, rtol=TOLERANCE, atol=TOLERANCE)


def by_name(mechanism: cd.Mechanism, simulation: cd.analyses.Simulation) -> dict[str, np.ndarray]:
    """Coordinates and speeds over time, by their full names."""
    found = {name: simulation.q[:, i] for i, name in enumerate(mechanism.coordinates)}
    return found | {f"d {name}": simulation.u[:, i] for i, name in enumerate(mechanism.speeds)}


def run(progress: Progress) -> StudyResult:
    """States of both trees, loads of one as the other's, and the numbers of the reversed ellipsoid."""
    times = np.linspace(0.0, DURATION, 51)
    reach, push = cd.compile(reaching()), cd.compile(push_up())
    progress("driving both mechanisms through the same motion")
    reach_motion, push_motion = driven(reach, times), driven(push, times)
    one, other = by_name(reach, reach_motion), by_name(push, push_motion)
    same_names = set(one) == set(other)
    difference = max(float(np.abs(one[name] - other[name]).max()) for name in one)
    relative = _pose_difference(reach, reach_motion.q, push, push_motion.q)
    progress("root reaction of one as tip load of the other")
    loads = {
        "thorax fixed": _exchanged(reach, reach_motion, "forearm", HAND, "thorax", (0.0, 0.0, 0.0), push_up),
        "hand fixed": _exchanged(push, push_motion, "thorax", (0.0, 0.0, 0.0), "forearm", HAND, reaching),
    }
    ellipsoid = cd.compile(reversed_ellipsoid())
    udot = ellipsoid.forward_dynamics([0.3, -0.4, 0.2], [1.0, -2.0, 3.0])
    error = float(np.abs(udot - np.array(REFERENCE)).max())
    figures = {
        "udot_reversed_ellipsoid": udot,
        "state_difference": difference,
        "relative_pose_difference": relative,
        "load_difference": loads,
        "coordinates": list(reach.coordinates),
        "coordinates_push_up": list(push.coordinates),
        "motion": {"time": times, **{name: one[name] for name in reach.coordinates}},
        "figure_3": {"reaching": _figure(reach, reach_motion.q), "push_up": _figure(push, push_motion.q)},
    }
    worst = max(loads.values())
    claims = (
        Claim("the same coordinates and speeds, by name", "preserved", same_names, same_names),
        Claim("states under the same prescribed motion", "equal", difference, difference <= 1e-10),
        Claim("relative poses of all bodies", "equal", relative, relative <= 1e-10),
        Claim("root reaction of one = tip load of the other (relative)", "equal", worst, worst <= 1e-10),
        Claim("reversed ellipsoid, independent reference", 0.0, error, error < 1e-9),
    )
    return StudyResult(NAME, figures, claims)


def _figure(mechanism: cd.Mechanism, q: np.ndarray) -> dict[str, np.ndarray]:
    """Origins of the bodies and the palm in ground (nt, 3), and the thorax's axes (nt, 3, 3)."""
    poses = mechanism.body_poses(q)
    R, p = poses["forearm"]
    origins = {body: place for body, (_, place) in poses.items()}
    return {**origins, "hand": p + R @ np.array(HAND), "thorax_axes": poses["thorax"][0]}


def _pose_difference(a: cd.Mechanism, q_a: np.ndarray, b: cd.Mechanism, q_b: np.ndarray) -> float:
    """Largest difference of the poses of all bodies relative to the thorax."""
    largest = 0.0
    poses_a, poses_b = a.body_poses(q_a), b.body_poses(q_b)
    for body in a.bodies:
        seen = []
        for poses in (poses_a, poses_b):
            R, p = poses["thorax"]
            R_body, p_body = poses[body]
            inverse = np.swapaxes(R, -1, -2)
            seen.append((inverse @ R_body, (inverse @ (p_body - p)[..., None])[..., 0]))
        largest = max(largest, *(float(np.abs(x - y).max()) for x, y in zip(*seen, strict=True)))
    return largest


def _exchanged(rooted, motion, tip, tip_point, root, root_point, other_model) -> float:
    """Load the tip of `rooted`; give its root reaction to the same mechanism rooted, freely, at the tip: it
    must find the load.

    The other mechanism moves as the first does: its free root follows the tip's pose, velocity and
    acceleration.
    """
    q, u = motion.q, motion.u
    udot = np.array(prescribed(rooted, motion.times)[1]).T
    load = np.broadcast_to(np.array(PUSH), (len(q), 6))
    R_tip, _ = rooted.body_poses(q)[tip]
    wrench = _about_origin(load, np.einsum("tij,j->ti", R_tip, np.array(tip_point)))
    reaction = _in_ground(rooted, rooted.joint_reactions(q, u, udot, wrenches={tip: wrench})["base"])
    R_root, _ = rooted.body_poses(q)[root]
    at_root = _about_origin(reaction, np.einsum("tij,j->ti", R_root, np.array(root_point)))
    other = cd.compile(other_model(free_root(tip, Placement(tuple(tip_point)))))
    position, velocity, acceleration = rooted.point_motion(q, u, udot, tip, tip_point)
    spin = rooted.body_velocities(q, u)[tip][0]
    spin_rate = rooted.body_accelerations(q, u, udot)[tip][0]
    e = np.array([euler_parameters_from_rotation(R) for R in R_tip])
    joints = {"q": (rooted.coordinates, q), "u": (rooted.speeds, u), "udot": (rooted.speeds, udot)}
    bases = {"q": [e, position], "u": [spin, velocity], "udot": [spin_rate, acceleration]}
    moved = {}
    for kind, (names, values) in joints.items():
        wanted = other.coordinates if kind == "q" else other.speeds
        base = np.concatenate(bases[kind], axis=1)
        rest = [values[:, names.index(name)] for name in wanted[base.shape[1] :]]
        moved[kind] = np.column_stack([base, *rest])
    found = other.joint_reactions(moved["q"], moved["u"], moved["udot"], wrenches={root: at_root})["base"]
    found = np.concatenate(found, axis=-1)  # the free root's P is ground
    return float(np.abs(found - load).max() / np.abs(load).max())


def _about_origin(wrench: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """Wrench about a point at `arm` from the body's origin -> about the origin."""
    return np.concatenate([wrench[:, :3] + np.cross(arm, wrench[:, 3:]), wrench[:, 3:]], axis=1)


def _in_ground(mechanism: cd.Mechanism, reaction) -> np.ndarray:
    """A root reaction (moment, force), given in the axes of the root joint's P, in ground axes."""
    root = next(joint for joint in mechanism.model.joints if joint.name == "base")
    R = np.array(ca.DM(root.parent_frame.transform().R).full())
    return np.concatenate([part @ R.T for part in reaction], axis=-1)
