"""Kernels: a casadi.Function as machine code, called on arrays, or by address from compiled loops."""

from condyle.kernels.kernel import Kernel, build

__all__ = ["Kernel", "build"]
