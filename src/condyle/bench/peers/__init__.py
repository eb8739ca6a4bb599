"""Other engines, spoken to in Condyle's conventions; None where one is not installed."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condyle.bench.peers.mujoco import MuJoCo
    from condyle.bench.peers.pinocchio import Pinocchio

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
