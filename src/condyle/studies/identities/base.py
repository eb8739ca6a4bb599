"""An equation of a paper that holds, or was printed wrongly, at random motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from condyle.studies.identities.sample import Sample


@dataclass(frozen=True)
class Identity:
    """`difference` of both sides, (n, ...); `equation` such as "000-28"; `misprint`: as printed it fails."""

    equation: str
    statement: str
    difference: Callable[[Sample], np.ndarray]
    misprint: bool = False

    @property
    def name(self) -> str:
        return f"{self.equation} {'printed: ' if self.misprint else ''}{self.statement}"

    def residual(self, sample: Sample) -> float:
        """The largest entry of the difference; of a misprint, the largest of its median member."""
        found = np.abs(np.asarray(self.difference(sample)))
        by_member = found.reshape(len(found), -1).max(axis=1)
        return float(np.median(by_member) if self.misprint else by_member.max())
