"""`condyle study`: the experiments of the papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

from condyle.cli.output import cell, flatten, is_long, print_json, progress

if TYPE_CHECKING:
    from condyle.studies import StudyResult

app = App(name="study", help="Run the experiments of the papers and compare their figures with ours.")


@app.command(name="list")
def list_studies(*, json: bool = False) -> None:
    """List the studies.

    Args:
        json: Print strict JSON instead of text.
    """
    from condyle import studies

    titles = studies.titles()
    if json:
        print_json({"schema_version": 1, "studies": [{"name": n, "title": t} for n, t in titles.items()]})
        return
    width = max(map(len, titles), default=0)
    for name, title in titles.items():
        print(f"{name:{width}}  {title}")


@app.command
def run(name: str, /, *, json: bool = False, strict: bool = False, picture: Path | None = None) -> int:
    """Run one study and show the paper's figures beside ours.

    Args:
        name: Name of the study, as `condyle study list` prints it.
        json: Print strict JSON, alone on standard output.
        strict: End with exit code 1 when a claim does not hold.
        picture: Draw the result into this file, named .svg, or .html for a page with the claims.
    """
    from condyle import studies
    from condyle.report.pictures import opened

    with opened(name, picture) as draw:
        result = studies.run(name, progress)
        draw(result)
    if json:
        print_json(result.as_dict())
    else:
        show(result)
    return int(strict and not result.holds)


def show(result: StudyResult) -> None:
    """Print the figures, then the claims as a table: what a reader looks for stands last."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    rows = flatten(result.figures)
    short = [(name, value) for name, value in rows if not is_long(value)]
    figures = Table(title=f"{result.study}: figures (SI units, radians)", title_justify="left")
    figures.add_column("figure", overflow="fold")
    figures.add_column("value", justify="right")
    for name, value in short:
        figures.add_row(Text(name), Text(cell(value)))
    claims = Table(title=f"{result.study}: claims", title_justify="left")
    claims.add_column("claim", ratio=3)
    claims.add_column("paper", justify="right", ratio=1)
    claims.add_column("here", justify="right", ratio=1)
    claims.add_column("holds", justify="center")
    for claim in result.claims:  # Text: a unit in brackets is no markup
        texts = (Text(claim.claim), Text(cell(claim.paper)), Text(cell(claim.here)))
        claims.add_row(*texts, "yes" if claim.holds else "[bold red]NO[/]")
    console.print(figures)
    if len(rows) > len(short):
        console.print(f"and {len(rows) - len(short)} series, which --json prints in full")
    console.print(claims)
    holding = sum(claim.holds for claim in result.claims)
    console.print(f"{holding} of {len(result.claims)} claims hold here")
