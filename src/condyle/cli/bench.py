"""`condyle bench`: speed and memory beside other engines."""

from __future__ import annotations

from typing import Any

from condyle.cli.output import cell, print_json, progress


def bench(case: list[str] | None = None, *, json: bool = False) -> None:
    """Measure speed and memory beside other engines.

    Args:
        case: Measure these cases only: `condyle bench aba_batch threads`. All by default.
        json: Print strict JSON, alone on standard output.
    """
    from condyle import bench as benchmark

    result = benchmark.run(case, progress)
    if json:
        print_json(result)
    else:
        show(result)


def show(result: dict[str, Any]) -> None:
    """Print one row per case, then what failed and what explains the figures."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title="ratio = peer / Condyle, medians of interleaved runs", title_justify="left")
    for heading in ("case", "Condyle", "unit", "ratio", "target", "holds"):
        table.add_column(heading, justify="right" if heading in ("Condyle", "ratio") else "left")
    for row in result["cases"]:
        ratios = [f"{value:.3g} x {peer}" for peer, value in row["ratio"].items()]
        holds = {True: "yes", False: "[bold red]NO[/]", None: "-"}[row["holds"]]
        figure = "FAILED" if row["failed"] else cell(row["condyle"])
        table.add_row(*map(Text, (row["case"], figure, row["unit"], "\n".join(ratios), row["target"])), holds)
    console = Console(highlight=False)
    console.print(cell(result["machine"]), markup=False)
    console.print(table)
    for row in result["cases"]:
        for text in filter(None, (row["failed"], *row["notes"])):
            console.print(f"{row['case']}: {text}", markup=False)
