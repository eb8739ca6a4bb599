"""Which joint variables of a tree are independent, and in what order the others follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from condyle.couplings.base import Coupling
from condyle.couplings.order import ordered
from condyle.mechanism.tree import Tree


@dataclass(frozen=True)
class Roles:
    """Roles of a tree's joint variables s and speeds v, by their indices in the tree.

    `coupled` follow from couplings. Of the others `closing` are solved for from the loops, the rest are the
    independent coordinates q and speeds u of the mechanism, locked ones among them. `closing_speeds` are the
    speeds of the joints, or single speeds, that `closing` belong to.
    """

    tree: Tree
    closing: tuple[int, ...] = ()
    closing_speeds: tuple[int, ...] = ()

    @cached_property
    def couplings(self) -> tuple[Coupling, ...]:
        """In the order of evaluation."""
        return ordered(self.tree.model.couplings)

    @cached_property
    def place(self) -> dict[str, int]:
        """Index of each joint variable by its full name."""
        return {name: index for index, name in enumerate(self.tree.coordinates)}

    @cached_property
    def speed_place(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.tree.speeds)}

    @cached_property
    def coupled(self) -> tuple[int, ...]:
        return tuple(self.place[name] for item in self.couplings for name in item.dependents)

    @cached_property
    def coupled_speeds(self) -> tuple[int, ...]:
        return tuple(self.speed_place[name] for item in self.couplings for name in item.dependents)

    @cached_property
    def implicit(self) -> tuple[Coupling, ...]:
        """Couplings whose dependents are solved for, in order."""
        return tuple(item for item in self.couplings if not item.is_explicit)

    @cached_property
    def unknown(self) -> tuple[int, ...]:
        """Joint variables that are solved for outside the graph: of implicit couplings, then of loops."""
        of_couplings = (self.place[name] for item in self.implicit for name in item.dependents)
        return (*of_couplings, *self.closing)

    @cached_property
    def unknown_speeds(self) -> tuple[int, ...]:
        of_couplings = (self.speed_place[name] for item in self.implicit for name in item.dependents)
        return (*of_couplings, *self.closing_speeds)

    @cached_property
    def independent(self) -> tuple[int, ...]:
        """Tree indices of q."""
        others = {*self.coupled, *self.closing}
        return tuple(k for k in range(len(self.tree.coordinates)) if k not in others)

    @cached_property
    def independent_speeds(self) -> tuple[int, ...]:
        """Tree indices of u."""
        others = {*self.coupled_speeds, *self.closing_speeds}
        return tuple(k for k in range(len(self.tree.speeds)) if k not in others)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        return tuple(self.tree.coordinates[k] for k in self.independent)

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        return tuple(self.tree.speeds[k] for k in self.independent_speeds)

    @cached_property
    def locked_speeds(self) -> tuple[int, ...]:
        """Indices in u."""
        locked = set(self.tree.locked_speeds)
        return tuple(index for index, k in enumerate(self.independent_speeds) if k in locked)

    def is_locked(self, name: str) -> bool:
        """Whether an independent coordinate is held at its default."""
        return name in self.tree.speeds and self.speed_place[name] in self.tree.locked_speeds

    @cached_property
    def unit_groups(self) -> tuple[int, ...]:
        """Start indices in q of groups of four Euler parameters."""
        return tuple(self.independent.index(k) for k in self.tree.unit_groups if k in self.independent)

    @property
    def embeds(self) -> bool:
        """Whether some joint variable depends on others."""
        return bool(self.coupled or self.closing)

    @property
    def text(self) -> str:
        """Tells roles of one model apart."""
        return f"{self.closing} {self.closing_speeds}"
