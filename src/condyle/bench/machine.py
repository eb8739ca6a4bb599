"""The machine that figures belong to."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = {
    "casadi": "casadi",
    "llvmlite": "llvmlite",
    "numpy": "numpy",
    "pinocchio": "pin",
    "mujoco": "mujoco",
    "exudyn": "exudyn",
}


def machine() -> dict[str, Any]:
    """Processor, cores, load and versions."""
    from condyle import __version__
    from condyle.kernels.source import compiles
    from condyle.kernels.target import host

    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "processor": _processor(),
        "cpu": host().cpu if compiles() else None,
        "lanes": host().lanes if compiles() else None,
        "cores": os.cpu_count(),
        "load": load,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "condyle": __version__,
        "versions": {name: found for name, package in _PACKAGES.items() if (found := _version(package))},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """The processor's own name where the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
