"""Topology of a model: links in an order with parents first, and where each joint's q and u stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from condyle.joints.base import Joint
from condyle.mechanism.parameter_rates import ParameterRates
from condyle.model.body import Body
from condyle.model.model import Model


@dataclass(frozen=True)
class Link:
    """One joint with the body that it carries; `parent` is the index of the parent link, -1 for ground."""

    index: int
    parent: int
    joint: Joint
    body: Body
    q: slice
    u: slice
    locked: tuple[bool, ...]  # per speed

    @property
    def free(self) -> list[int]:
        """Indices within the joint of the speeds that are not locked."""
        return [k for k, locked in enumerate(self.locked) if not locked]


@dataclass(frozen=True)
class Tree:
    """A model's links, parents before children, otherwise in the order of the model's joints.

    Where `model` is a rewriting of what the user described, `described` is the tree of that: its bodies come
    first here, in its order, and bodies behind them exist in the rewriting only.
    """

    model: Model
    described: Tree | None = None
    rates: bool = False  # joints with Euler parameters have their rates as speeds

    @property
    def formulation(self) -> str:
        """Name of the formulation, see `condyle.mechanism.formulations`."""
        if self.rates:
            return "kane"
        return "minimal" if self.described is None else "absolute"

    @cached_property
    def minimal(self) -> Tree:
        """The tree of the same model with the joints' own speeds."""
        return Tree(self.model, self.described) if self.rates else self

    @cached_property
    def links(self) -> tuple[Link, ...]:
        bodies = {body.name: body for body in self.model.bodies}
        placed: dict[str, int] = {self.model.ground: -1}
        waiting = list(self.model.joints)
        links: list[Link] = []
        nq = nu = 0
        while waiting:
            joint = next(joint for joint in waiting if joint.parent in placed)
            waiting.remove(joint)
            if self.rates and joint.unit_groups:
                joint = ParameterRates(joint)
            count_q, count_u = len(joint.coordinate_names), len(joint.speed_names)
            locks = tuple(joint.coordinate(k).locked for k in range(count_q))
            # Locks are accepted (checked with the model) only where speeds are coordinate rates.
            locked = locks if any(locks) else (False,) * count_u
            links.append(
                Link(
                    len(links),
                    placed[joint.parent],
                    joint,
                    bodies[joint.child],
                    slice(nq, nq + count_q),
                    slice(nu, nu + count_u),
                    locked,
                )
            )
            placed[joint.child] = len(links) - 1
            nq, nu = nq + count_q, nu + count_u
        return tuple(links)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        return tuple(
            f"{link.joint.name}.{name}" for link in self.links for name in link.joint.coordinate_names
        )

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        return tuple(f"{link.joint.name}.{name}" for link in self.links for name in link.joint.speed_names)

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """The described bodies."""
        return tuple(link.body.name for link in (self.described or self).links)

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """The described joints, each at the place of the body that it carries."""
        return tuple(link.joint.name for link in (self.described or self).links)

    @cached_property
    def locked_speeds(self) -> tuple[int, ...]:
        return tuple(
            link.u.start + k for link in self.links for k, locked in enumerate(link.locked) if locked
        )

    @cached_property
    def unit_groups(self) -> tuple[int, ...]:
        """Start indices in q of groups of four Euler parameters."""
        return tuple(link.q.start + start for link in self.links for start in link.joint.unit_groups)

    @cached_property
    def default_coordinates(self) -> np.ndarray:
        values = [
            link.joint.coordinate(k).default for link in self.links for k in range(link.q.stop - link.q.start)
        ]
        return np.array(values, dtype=float)

    @cached_property
    def leaves(self) -> frozenset[int]:
        """Links that carry no other."""
        return frozenset(link.index for link in self.links) - {link.parent for link in self.links}

    def link_of(self, body: str) -> int:
        """Index of the link that carries a body; -1 for ground."""
        return -1 if body == self.model.ground else self.places[body]

    @cached_property
    def places(self) -> dict[str, int]:
        """Index of the link that carries each body."""
        return {link.body.name: link.index for link in self.links}

    def path(self, link: int) -> list[int]:
        """Links from the root to this one, itself included; empty for ground."""
        chain: list[int] = []
        while link >= 0:
            chain.append(link)
            link = self.links[link].parent
        return chain[::-1]

    def children(self, link: int) -> list[int]:
        return [other.index for other in self.links if other.parent == link]
