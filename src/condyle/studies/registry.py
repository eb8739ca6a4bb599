"""Which studies there are; found from the files of this package, without importing them.

A study is a module here with the constants NAME and TITLE and a function `run(progress) -> StudyResult`.
"""

from __future__ import annotations

import ast
import pkgutil
from importlib import import_module
from importlib.machinery import ModuleSpec

from condyle.errors import InputError, closest
from condyle.studies.base import Progress, StudyResult

_PACKAGE = __name__.rpartition(".")[0]


def titles() -> dict[str, str]:
    """Name of every study and its title, in alphabetical order."""
    return {name: title for name, (title, _) in sorted(_scan().items())}


def run(name: str, progress: Progress | None = None) -> StudyResult:
    """Run the study `name`; `progress` receives lines of text meanwhile."""
    found = _scan()
    if name not in found:
        raise InputError(f"there is no study {name!r}{closest(name, found)}")
    module = import_module(found[name][1])
    return module.run(progress or (lambda text: None))


def _scan() -> dict[str, tuple[str, str]]:
    """Name: (title, module), read from the sources because importing a study costs seconds."""
    found = {}
    for info in pkgutil.iter_modules(import_module(_PACKAGE).__path__):
        spec = info.module_finder.find_spec(info.name, None)
        constants = _constants(spec) if isinstance(spec, ModuleSpec) else {}
        if "NAME" in constants and "TITLE" in constants:
            found[constants["NAME"]] = (constants["TITLE"], f"{_PACKAGE}.{info.name}")
    return found


def _constants(spec: ModuleSpec) -> dict[str, str]:
    """The module-level string constants of a module."""
    source = spec.loader.get_source(spec.name)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
    constants = {}
    for node in ast.parse(source or "").body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            constants |= {
                target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)
            }
    return constants
