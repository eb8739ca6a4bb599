"""Twice-differentiable scalar maps, one file per kind."""

from condyle.functions.base import Function
from condyle.functions.constant import Constant
from condyle.functions.linear import Linear

__all__ = ["Constant", "Function", "Linear"]
