"""One run of the benchmark: the cases asked for, in order; one that fails is reported and stops no other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from condyle.bench.cases import CASES
from condyle.bench.machine import machine
from condyle.bench.row import Row
from condyle.bench.sizes import FULL, Sizes
from condyle.errors import InputError, closest

SCHEMA_VERSION = 1


def run(
    cases: Iterable[str] | None = None, progress: Callable[[str], None] | None = None, sizes: Sizes = FULL
) -> dict[str, Any]:
    """Measure the named cases (all by default); `progress` is called with one line per case."""
    names = list(dict.fromkeys(cases or CASES))
    unknown = [name for name in names if name not in CASES]
    if unknown:
        raise InputError("; ".join(f"no case {name!r}{closest(name, CASES)}" for name in unknown))
    found = machine()
    rows = []
    for name in names:
        begin = time.perf_counter()
        row = measured(name, sizes)
        rows.append(row.as_dict())
        if progress is not None:
            progress(f"{name}: {_said(row)} ({time.perf_counter() - begin:.1f} s)")
    return {"schema_version": SCHEMA_VERSION, "machine": found, "cases": rows}


def measured(name: str, sizes: Sizes) -> Row:
    """The row of one case; an error becomes a failed row."""
    module, function = CASES[name]
    try:
        return getattr(import_module(f"condyle.bench.cases.{module}"), function)(sizes)
    except Exception as error:
        return Row(name, "", failed=f"{type(error).__name__}: {error}")


def _said(row: Row) -> str:
    if row.failed:
        return f"FAILED: {row.failed}"
    ratios = ", ".join(f"{value:.1f} x {peer}" for peer, value in row.ratio.items())
    figure = f"{row.condyle:.4g} {row.unit}" if isinstance(row.condyle, float) else row.unit
    verdict = {True: "holds", False: "MISSED", None: "not compared"}[row.holds]
    return f"{figure}{', ' + ratios if ratios else ''}; target {row.target}: {verdict}"
