"""Rooted trees, order by order, and the order conditions of Runge-Kutta and Rosenbrock methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

Tree = tuple  # of the subtrees that hang on the root, sorted


@cache
def trees(order: int) -> tuple[Tree, ...]:
    """All rooted trees with `order` nodes."""
    return tuple(sorted({tuple(sorted(forest)) for forest in _forests(order - 1, order - 1)}))


def _forests(nodes: int, largest: int) -> list[tuple[Tree, ...]]:
    """All multisets of trees with `nodes` nodes together, none larger than `largest`."""
    if nodes == 0:
        return [()]
    if largest == 0:
        return []
    found = []
    for count in range(nodes // largest + 1):
        for chosen in combinations_with_replacement(trees(largest), count):
            for rest in _forests(nodes - count * largest, largest - 1):
                found.append(chosen + rest)
    return found


def size(tree: Tree) -> int:
    """Number of nodes."""
    return 1 + sum(size(branch) for branch in tree)


def density(tree: Tree) -> int:
    """gamma(t): the product of the sizes of all subtrees."""
    result = size(tree)
    for branch in tree:
        result *= density(branch)
    return result


def defect(tree: Tree, weights: Sequence[Any], times: Callable[[Sequence[Any], bool], list[Any]]) -> Any:
    """sum of b_i Phi_i(t) - 1 / gamma(t); `times(v, single)`: stage matrix times v (single: only child)."""
    values = _stage_values(tree, len(weights), times)
    return sum(b * value for b, value in zip(weights, values, strict=True)) - weights[0] ** 0 / density(tree)


def _stage_values(tree: Tree, stages: int, times: Callable[[Sequence[Any], bool], list[Any]]) -> list[Any]:
    result: list[Any] = [1] * stages
    for branch in tree:
        factor = times(_stage_values(branch, stages, times), len(tree) == 1)
        result = [a * b for a, b in zip(result, factor, strict=True)]
    return result
