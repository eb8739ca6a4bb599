"""Formulations of one model's equations, by name."""

from __future__ import annotations

from condyle.errors import InputError, closest
from condyle.mechanism.absolute import absolute_tree
from condyle.mechanism.kane import kane_tree
from condyle.mechanism.tree import Tree
from condyle.model.model import Model

FORMULATIONS = {"minimal": Tree, "absolute": absolute_tree, "kane": kane_tree}


def formulated(model: Model, formulation: str) -> Tree:
    """The tree on which a model's equations are written: its own, or that of its rewriting."""
    if formulation not in FORMULATIONS:
        raise InputError(f"unknown formulation {formulation!r}{closest(formulation, FORMULATIONS)}")
    return FORMULATIONS[formulation](model)
