"""What a study returns: figures, and the paper's claims beside what was found here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

SCHEMA_VERSION = 1

#: Called with one line of text now and then while a study runs.
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Claim:
    """One statement of a paper, its figure, ours, and whether the statement holds here."""

    claim: str
    paper: Any
    here: Any
    holds: bool


@dataclass(frozen=True)
class StudyResult:
    """Outcome of one study; figures (SI units, radians) are numbers or arrays, possibly nested by name."""

    study: str
    figures: Mapping[str, Any]
    claims: tuple[Claim, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", tuple(self.claims))

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return all(claim.holds for claim in self.claims)

    def as_dict(self) -> dict[str, Any]:
        """The form that `condyle study run --json` prints; arrays are left as they are."""
        return {
            "schema_version": SCHEMA_VERSION,
            "study": self.study,
            "figures": dict(self.figures),
            "claims": [
                {"claim": item.claim, "paper": item.paper, "here": item.here, "holds": bool(item.holds)}
                for item in self.claims
            ],
        }
