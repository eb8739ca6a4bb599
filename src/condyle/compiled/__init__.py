"""A model compiled: the object that users call."""

from condyle.compiled.mechanism import Mechanism, compile
from condyle.compiled.sample_loops import sample_loops

__all__ = ["Mechanism", "compile", "sample_loops"]
