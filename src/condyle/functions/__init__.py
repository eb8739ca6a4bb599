"""Twice-differentiable scalar maps, one file per kind."""

from condyle.functions.base import Function
from condyle.functions.constant import Constant
from condyle.functions.linear import Linear
from condyle.functions.natural_cubic_spline import NaturalCubicSpline
from condyle.functions.polynomial import Polynomial
from condyle.functions.simm_spline import SIMMSpline

__all__ = ["Constant", "Function", "Linear", "NaturalCubicSpline", "Polynomial", "SIMMSpline"]
