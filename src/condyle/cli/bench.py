"""`condyle bench`: speed and memory beside other engines."""

from __future__ import annotations

from typing import Any

from condyle.cli.output import cell, print_json, progress


def bench(*, case: list[str] | None = None, json: bool = False) -> None:
    """Measure speed and memory beside other engines.

    Args:
        case: Measure this case only; may be repeated. All cases by default.
        json: Print strict JSON, alone on standard output.
    """
    from condyle import bench as benchmark

    result = benchmark.run(case, progress)
    if json:
        print_json(result)
    else:
        show(result)


def show(result: dict[str, Any]) -> None:
    """Print one row per case."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="ratio = peer / Condyle, medians", title_justify="left")
    for heading in ("case", "unit", "Condyle", "peers", "ratio"):
        table.add_column(heading, justify="left" if heading in ("case", "unit") else "right", overflow="fold")
    for row in result["cases"]:
        table.add_row(*(cell(row[key]) for key in ("case", "unit", "condyle", "peers", "ratio")))
    console = Console(highlight=False)
    console.print(cell(result["machine"]), markup=False)
    console.print(table)
