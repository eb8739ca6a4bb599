"""A model compiled: the object that users call."""

from condyle.compiled.mechanism import Mechanism, compile

__all__ = ["Mechanism", "compile"]
