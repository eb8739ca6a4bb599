"""Scalar maps of a description, twice differentiable unless their class says otherwise; one file per kind."""

from condyle.functions.base import Function
from condyle.functions.chebyshev import Chebyshev
from condyle.functions.clamped_cubic_spline import ClampedCubicSpline
from condyle.functions.clamped_quintic_spline import ClampedQuinticSpline
from condyle.functions.composed import Composed
from condyle.functions.constant import Constant
from condyle.functions.cubic_step import CubicStep
from condyle.functions.expression import Expression
from condyle.functions.fourier import Fourier
from condyle.functions.linear import Linear
from condyle.functions.multivariate_fourier import MultivariateFourier
from condyle.functions.multivariate_polynomial import MultivariatePolynomial
from condyle.functions.natural_cubic_spline import NaturalCubicSpline
from condyle.functions.not_a_knot_cubic_spline import NotAKnotCubicSpline
from condyle.functions.periodic_cubic_spline import PeriodicCubicSpline
from condyle.functions.piecewise_linear import PiecewiseLinear
from condyle.functions.polynomial import Polynomial
from condyle.functions.quintic_spline import QuinticSpline
from condyle.functions.scaled import Scaled
from condyle.functions.simm_spline import SIMMSpline
from condyle.functions.tensor_spline import TensorSpline

__all__ = [
    "Chebyshev",
    "ClampedCubicSpline",
    "ClampedQuinticSpline",
    "Composed",
    "Constant",
    "CubicStep",
    "Expression",
    "Fourier",
    "Function",
    "Linear",
    "MultivariateFourier",
    "MultivariatePolynomial",
    "NaturalCubicSpline",
    "NotAKnotCubicSpline",
    "PeriodicCubicSpline",
    "PiecewiseLinear",
    "Polynomial",
    "QuinticSpline",
    "SIMMSpline",
    "Scaled",
    "TensorSpline",
]
