"""Other engines, spoken to in Condyle's conventions; None where one is not installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from condyle.bench.peers.exudyn import Exudyn
    from condyle.bench.peers.mujoco import MuJoCo
    from condyle.bench.peers.pinocchio import Pinocchio
    from condyle.model import Model

#: How an absent peer is got.
ADVICE = "not installed: skipped (pip install 'condyle[bench]')"


@cache
def pinocchio_peer() -> Pinocchio | None:
    """Pinocchio with its sample humanoid."""
    if find_spec("pinocchio") is None:
        return None
    from condyle.bench.peers.pinocchio import Pinocchio

    return Pinocchio()


@cache
def mujoco_peer() -> MuJoCo | None:
    """MuJoCo with the same model."""
    if find_spec("mujoco") is None:
        return None
    from condyle.bench.peers.mujoco import MuJoCo

    return MuJoCo()


def exudyn_peer(model: Model, torques: Mapping[str, float], watched: str) -> Exudyn | None:
    """Exudyn with a planar mechanism of ours, constant torques on bodies; the motion of one body is read."""
    if find_spec("exudyn") is None:
        return None
    from condyle.bench.peers.exudyn import Exudyn

    return Exudyn(model, torques, watched)


def exudyn_ankle_peer(form: str, duration: float, accuracy: float) -> Callable[[], np.ndarray] | None:
    """A run of the ankle by Exudyn: "tree" to a tolerance, or "bodies" with a number of steps."""
    if find_spec("exudyn") is None:
        return None
    from condyle.bench.peers.exudyn_ankle import ExudynAnkle

    peer = ExudynAnkle()
    return peer.tree(duration, accuracy) if form == "tree" else peer.bodies(duration, int(accuracy))


def scipy_ankle_peer(form: str, duration: float, rtol: float) -> Callable[[], np.ndarray] | None:
    """A run of the ankle's equations in NumPy by SciPy: "two angles" or "three bodies"."""
    if find_spec("scipy") is None:
        return None
    from condyle.bench.peers.numpy_ankle import ThreeBodies, TwoAngles, integrated

    equations = TwoAngles() if form == "two angles" else ThreeBodies()
    return integrated(equations, duration, rtol)
