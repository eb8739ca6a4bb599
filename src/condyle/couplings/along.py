"""Derivatives along a direction."""

from __future__ import annotations

import casadi as ca


def second_derivative_along(value: ca.SX, x: ca.SX, rates: ca.SX) -> ca.SX:
    """rates' (d2 value_i/dx2) rates, rates held constant."""
    return ca.jtimes(ca.jtimes(value, x, rates), x, rates)
