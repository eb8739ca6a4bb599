"""Joint variables as functions of others, embedded: no multiplier, no drift; one file per kind."""

from condyle.couplings.base import Coupling
from condyle.couplings.explicit import Explicit

__all__ = ["Coupling", "Explicit"]
