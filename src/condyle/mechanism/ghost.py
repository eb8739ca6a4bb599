"""Ghosts: massless bodies on ground, each under a copy of a joint whose equations have no closed form."""

from __future__ import annotations

from dataclasses import replace

from condyle.joints.base import Joint
from condyle.spatial import Placement

_PREFIX = "ghost of "  # no user's body has a blank in its name


def ghost_of(joint: Joint) -> str:
    """Name of the body that a joint's copy carries."""
    return f"{_PREFIX}{joint.name}"


def is_ghost(body: str) -> bool:
    """Whether a body of this name is one of ours."""
    return body.startswith(_PREFIX)


def on_ground(joint: Joint, ground: str, body: str) -> Joint:
    """The joint as described, between ground and another body, frames at the origins."""
    place = Placement()
    return replace(joint.forward, parent=ground, child=body, parent_frame=place, child_frame=place)
