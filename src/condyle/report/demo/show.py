"""The demo's figures as text."""

from __future__ import annotations

import numpy as np

from condyle.report.demo.measure import DURATION, TOLERANCE, Ensemble, Swing

Row = tuple[str, str, str]


def rows(knee: Swing, pin: Swing) -> list[Row]:
    """(what, empirical knee, pin)."""
    legs = (knee, pin)

    def row(what: str, shown) -> Row:
        return what, shown(knee), shown(pin)

    seconds = [leg.kernel_seconds + leg.equations_seconds for leg in legs]
    return [
        row("operations, loads included", lambda leg: str(leg.operations)),
        ("model to machine code [s]", *(f"{value:.2f}" for value in seconds)),  # type: ignore[list-item]
        row("one evaluation, in a batch [µs]", lambda leg: f"{1e6 * leg.evaluation_seconds:.3f}"),
        row(
            f"{DURATION:g} s at tolerance {TOLERANCE:g} [ms]",
            lambda leg: f"{1e3 * leg.simulation_seconds:.1f}",
        ),
        row("steps (evaluations)", lambda leg: f"{int(leg.motion.steps)} ({int(leg.motion.evaluations)})"),
        row("energy drift / kinetic energy", lambda leg: f"{np.abs(leg.drift).max():.1e}"),
        row("the knee turns back at [s]", lambda leg: ", ".join(f"{time:.3f}" for time in leg.reversals)),
        row("deepest flexion [deg]", lambda leg: f"{-np.degrees(leg.angle.min()):.2f}"),
        row("largest load on the knee [N]", lambda leg: f"{np.linalg.norm(leg.force, axis=1).max():.1f}"),
    ]


def loop_line(knee: Swing) -> str:
    """What the compiled loop cost."""
    return f"The loop that takes the steps was ready in {knee.loop_seconds:.2f} s."


def ensemble_line(ensemble: Ensemble) -> str:
    """How fast many legs swing."""
    rate = float(f"{ensemble.count / ensemble.seconds:.2g}")
    return (
        f"{ensemble.finished:,} of {ensemble.count:,} legs with their own mass, length and release "
        f"swung {DURATION:g} s in {ensemble.seconds:.3f} s on one core: "
        f"{rate:,.0f} legs a second, {int(ensemble.motion.evaluations.sum()):,} evaluations."
    )


def print_figures(knee: Swing, pin: Swing, ensemble: Ensemble) -> None:
    """Tables on standard output."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title="A leg swings on its knee", title_justify="left")
    table.add_column("")
    table.add_column("empirical knee", justify="right")
    table.add_column("pin knee", justify="right")
    for row in rows(knee, pin):
        table.add_row(*map(Text, row))  # "[s]" is a unit, not a style
    console = Console(highlight=False)
    console.print(table)
    console.print(loop_line(knee), markup=False)
    console.print(ensemble_line(ensemble), markup=False)
