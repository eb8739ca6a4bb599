"""Condyle compiles models of the human body into machine code.

Nothing is imported until it is used: `import condyle` costs no more than this file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Body": "condyle.model",
    "Frame": "condyle.model",
    "Marker": "condyle.model",
    "Model": "condyle.model",
    "Placement": "condyle.spatial",
    "Coordinate": "condyle.joints",
    "Mechanism": "condyle.compiled",
    "compile": "condyle.compiled",
    "sample_loops": "condyle.compiled",
    "read_yaml": "condyle.io",
    "write_yaml": "condyle.io",
    "chain_regularity": "condyle.analyses",
    "driver_dynamics": "condyle.analyses",
    "driver_regularity": "condyle.analyses",
    "kinematic_analysis": "condyle.analyses",
    "simulate": "condyle.analyses",
    "Status": "condyle.status",
    "CondyleError": "condyle.errors",
    "InputError": "condyle.errors",
    "ModelError": "condyle.errors",
}
_PACKAGES = (
    "analyses",
    "closed_form",
    "constraints",
    "couplings",
    "drivers",
    "forces",
    "functions",
    "io",
    "joints",
    "library",
    "solve",
    "studies",
)

if TYPE_CHECKING:
    from condyle import (  # noqa: F401
        analyses,
        closed_form,
        constraints,
        couplings,
        drivers,
        forces,
        functions,
        io,
        joints,
        library,
        solve,
        studies,
    )
    from condyle.analyses import (  # noqa: F401
        chain_regularity,
        driver_dynamics,
        driver_regularity,
        kinematic_analysis,
        simulate,
    )
    from condyle.compiled import Mechanism, compile, sample_loops  # noqa: F401
    from condyle.errors import CondyleError, InputError, ModelError  # noqa: F401
    from condyle.io import read_yaml, write_yaml  # noqa: F401
    from condyle.joints import Coordinate  # noqa: F401
    from condyle.model import Body, Frame, Marker, Model  # noqa: F401
    from condyle.spatial import Placement  # noqa: F401
    from condyle.status import Status  # noqa: F401


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in _PACKAGES:
        return import_module(f"condyle.{name}")
    from condyle.errors import closest

    raise AttributeError(f"condyle has no {name!r}{closest(name, (*_HOME, *_PACKAGES))}")


def __dir__() -> list[str]:
    return sorted((*_HOME, *_PACKAGES, "__version__"))
