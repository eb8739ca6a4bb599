"""Holonomic constraints on a tree, one file per kind."""

from condyle.constraints.base import Configuration, Constraint

__all__ = ["Configuration", "Constraint"]
