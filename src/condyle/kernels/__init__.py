"""Kernels: a casadi.Function as machine code, called from Python on arrays or from compiled loops by address."""

from condyle.kernels.kernel import Kernel, build

__all__ = ["Kernel", "build"]
