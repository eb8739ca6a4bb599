"""Joints, constraints and forces: their own numbers, and defaults within the data of their functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from condyle.errors import Problem

if TYPE_CHECKING:
    from condyle.joints.base import Joint
    from condyle.model.model import Model


def motion_problems(model: Model, unusable: set[str]) -> Iterator[Problem]:
    """What joints, constraints and forces say of themselves, with the path of the element."""
    for section in ("joints", "constraints", "forces", "couplings", "loops"):
        for element in getattr(model, section):
            where = f"{section}.{element.name}"
            if where in unusable:
                continue
            sentences = element.problems()
            yield from (Problem(where, sentence) for sentence in sentences)
            if section == "joints" and not sentences:
                yield from _beyond_data(element, where)


def _beyond_data(joint: Joint, where: str) -> Iterator[Problem]:
    """A default pose outside the data would start every analysis on an extrapolation."""
    for index, name in enumerate(joint.coordinate_names):
        data, default = joint.data_range(index), joint.coordinate(index).default
        if data is not None and not data[0] <= default <= data[1]:
            covered = f"the data of its function cover {data[0]:.6g} to {data[1]:.6g}"
            yield Problem(where, f"default {default:.6g} of {name!r} is an extrapolation: {covered}")
