"""What one case reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from condyle.bench.timing import Timing
from condyle.errors import CondyleError


class Disagreement(CondyleError):
    """The outputs that were to be timed are not equal."""


@dataclass
class Row:
    """Condyle's figure, the peers', ratio = peer / Condyle, and whatever explains them."""

    case: str
    unit: str
    condyle: Any = None
    peers: dict[str, float] = field(default_factory=dict)
    ratio: dict[str, float] = field(default_factory=dict)
    target: str = ""
    holds: bool | None = None
    failed: str | None = None
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    def compare(self, peer: str, value: float, own: float | None = None) -> float:
        """Note a peer's figure; returns the ratio."""
        self.peers[peer] = value
        self.ratio[peer] = value / (self.condyle if own is None else own)
        return self.ratio[peer]

    def at_least(self, ratio: float, peer: str) -> None:
        """The target: a ratio against a peer."""
        self.target = f"ratio to {peer} >= {ratio:g}"
        if peer in self.ratio:
            self.holds = self.ratio[peer] >= ratio

    def at_most(self, value: float, limit: float) -> None:
        """The target: a figure of our own."""
        self.target = f"<= {limit:g} {self.unit}"
        self.holds = value <= limit

    def spread(self, timings: dict[str, Timing], scale: float) -> None:
        """Keep the quartiles of every contender, in the row's unit."""
        self.figures["quartiles"] = {
            name: [timing.low * scale, timing.high * scale] for name, timing in timings.items()
        }

    def as_dict(self) -> dict[str, Any]:
        """The form that `condyle bench --json` prints."""
        shown = {
            "case": self.case,
            "unit": self.unit,
            "condyle": self.condyle,
            "peers": self.peers,
            "ratio": self.ratio,
            "target": self.target,
            "holds": self.holds,
            "failed": self.failed,
            "notes": self.notes,
        }
        return shown | self.figures
