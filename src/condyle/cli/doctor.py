"""`condyle doctor`: what a report of a problem needs to say about the machine."""

from __future__ import annotations

import os
import platform
import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from condyle import __version__
from condyle.cli.output import cell, flatten, print_json

PACKAGES = ("numpy", "casadi", "llvmlite", "pydantic", "ruamel.yaml", "cyclopts", "rich")
PEERS = ("pin", "mujoco", "exudyn")


def doctor(
    *, cache: bool = False, cache_clear: bool = False, json: bool = False, strict: bool = False
) -> int:
    """Show versions, the processor and the state of the cache.

    Args:
        cache: Read every file of the cache, check its digest, and remove those that are broken.
        cache_clear: Remove all files of the cache.
        json: Print strict JSON, alone on standard output.
        strict: End with exit code 1 when the cache is off or a file of it was broken.
    """
    found = environment()
    found["cache"] = cache_state(check=cache, clear=cache_clear)
    if json:
        print_json({"schema_version": 1, **found})
    else:
        rows = flatten(found)
        width = max(len(name) for name, _ in rows)
        for name, value in rows:
            print(f"{name:{width}}  {cell(value)}")
    return int(strict and (found["cache"]["folder"] is None or bool(found["cache"].get("broken"))))


def environment() -> dict[str, Any]:
    """Versions and processor."""
    return {
        "condyle": __version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": platform.platform(),
        "packages": {name: installed(name) for name in (*PACKAGES, *PEERS)},
        "processor": processor(),
        "backend": os.environ.get("CONDYLE_BACKEND", "llvm"),
    }


def processor() -> dict[str, Any]:
    """The machine as LLVM sees it; without LLVM, its name alone."""
    from condyle.kernels.target import host

    try:
        target = host()
    except ImportError:
        return {"name": platform.machine(), "cores": os.cpu_count()}
    return {
        "name": target.cpu,
        "cores": os.cpu_count(),
        "triple": target.triple,
        "lanes": target.lanes,
        "fused_multiply_add": target.fused,
    }


def installed(name: str) -> str | None:
    """Version of a package, None where it is absent."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def cache_state(*, check: bool, clear: bool) -> dict[str, Any]:
    """Where the cache is and what it holds; why it is off, where it is."""
    from condyle.kernels import cache
    from condyle.kernels.cache.folder import limit

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        folder = cache.cache_folder()
    state: dict[str, Any] = {"folder": None if folder is None else str(folder)}
    if folder is None:
        reasons = [str(item.message) for item in caught]
        state["reason"] = reasons[0] if reasons else "CONDYLE_CACHE is 'off'"
        return state
    if clear:
        state["removed"] = cache.clear()
    if check:
        state["broken"] = [f"{record.path.name}: {record.problem} (removed)" for record in cache.verify()]
    records = list(cache.entries()) if check else []
    state |= {"bytes": cache.total_size(), "limit_bytes": limit()}
    for kind in sorted({record.kind for record in records}):
        state[f"{kind}_files"] = sum(record.kind == kind for record in records)
    return state
