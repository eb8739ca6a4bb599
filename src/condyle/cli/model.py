"""`condyle model`: model files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import App

from condyle.cli.output import cell, print_json

if TYPE_CHECKING:
    from condyle.model import Model

app = App(name="model", help="Check a model file and show what it describes.")


@app.command
def check(file: Path, /, *, json: bool = False) -> None:
    """Check a model file: list every problem (exit code 2), or show the coordinates it describes.

    Args:
        file: A model in YAML.
        json: Print strict JSON, alone on standard output.
    """
    from condyle import read_yaml

    found = summary(read_yaml(file))
    if json:
        print_json({"schema_version": 1, **found})
    else:
        show(found)


def summary(model: Model) -> dict[str, Any]:
    """What the model consists of; ranges in rad or m, null where there is no limit."""
    coordinates = []
    for joint in model.joints:
        for index, name in enumerate(joint.coordinate_names):
            coordinate = joint.coordinate(index)
            coordinates.append(
                {
                    "name": f"{joint.name}.{name}",
                    "default": coordinate.default,
                    "range": list(coordinate.range),
                    "locked": coordinate.locked,
                }
            )
    return {
        "model": model.name,
        "bodies": len(model.bodies),
        "joints": len(model.joints),
        "constraints": len(model.constraints),
        "couplings": len(model.couplings),
        "loops": len(model.loops),
        "markers": len(model.markers),
        "mass": sum(body.mass for body in model.bodies),
        "gravity": list(model.gravity),
        "coordinates": coordinates,
    }


def show(found: dict[str, Any]) -> None:
    """Print the summary and a table of coordinates."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    counts = ", ".join(f"{found[key]} {key}" for key in ("bodies", "joints", "constraints", "markers"))
    table = Table()
    for heading in ("coordinate", "default", "range", ""):
        table.add_column(heading, justify="left" if heading in ("coordinate", "") else "right")
    for row in found["coordinates"]:
        low, high = row["range"]
        limits = f"{low:.6g} to {high:.6g}" if high - low < float("inf") else "-"
        table.add_row(Text(row["name"]), cell(row["default"]), limits, "locked" if row["locked"] else "")
    console = Console(highlight=False)
    console.print(f"{found['model']}: {counts}; {found['mass']:.6g} kg; no problems found", markup=False)
    console.print(table)
