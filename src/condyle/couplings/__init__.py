"""Joint variables as functions of others, embedded: no multiplier, no drift; one file per kind."""

from condyle.couplings.base import Coupling
from condyle.couplings.explicit import Explicit
from condyle.couplings.finite_difference import FiniteDifference
from condyle.couplings.implicit import Implicit
from condyle.couplings.prescribed import Prescribed
from condyle.couplings.projection import Projection
from condyle.couplings.sample import sample
from condyle.couplings.sampled import Sampled

__all__ = [
    "Coupling",
    "Explicit",
    "FiniteDifference",
    "Implicit",
    "Prescribed",
    "Projection",
    "Sampled",
    "sample",
]
