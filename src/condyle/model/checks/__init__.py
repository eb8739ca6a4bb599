"""Everything that can be wrong with a description, found in one pass: one file per topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condyle.errors import ModelError, Problem
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


def find_problems(model: Model) -> list[Problem]:
    """Every problem; `where` is a path such as `joints.knee.axis`."""
    shapeless = list(shape_problems(model))
    if shapeless:  # nothing else can be asked of them
        return shapeless
    problems = list(value_problems(model))
    unusable = {".".join(problem.where.split(".")[:2]) for problem in problems}
    problems += name_problems(model)
    problems += inertia_problems(model, unusable)
    problems += motion_problems(model, unusable)
    problems += topology_problems(model)
    if not problems:
        problems += massless_problems(model)
    return problems
