"""Everything that can be wrong with a description, found in one pass: one file per topic."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from condyle.errors import ModelError, Problem
from condyle.model.checks.dependents import dependent_problems
from condyle.model.checks.inertia import inertia_problems
from condyle.model.checks.massless import massless_problems
from condyle.model.checks.motion import motion_problems
from condyle.model.checks.names import name_problems
from condyle.model.checks.topology import topology_problems
from condyle.model.checks.values import shape_problems, value_problems

if TYPE_CHECKING:
    from condyle.model.model import Model


def check(model: Model) -> None:
    """Raise ModelError with all problems of the model, or return."""
    problems = find_problems(model)
    if problems:
        raise ModelError(f"model {model.name!r}", problems)


def find_problems(model: Model, broken: Collection[str] = ()) -> list[Problem]:
    """Every problem; `where` is a path such as `joints.knee.axis`.

    `broken` names elements (`bodies.thigh`) that are known to be wrong, so that their numbers say nothing.
    """
    shapeless = list(shape_problems(model))
    if shapeless:  # nothing else can be asked of them
        return shapeless
    problems = [problem for problem in value_problems(model) if _element(problem) not in broken]
    unusable = {_element(problem) for problem in problems} | set(broken)
    problems += name_problems(model)
    problems += inertia_problems(model, unusable)
    problems += motion_problems(model, unusable)
    problems += topology_problems(model, broken)
    problems += dependent_problems(model, broken)
    if not problems and not broken:
        problems += massless_problems(model)
    return problems


def _element(problem: Problem) -> str:
    """`joints.knee` of `joints.knee.axis[0]`."""
    return ".".join(problem.where.split(".")[:2])
