"""`condyle demo`: something real in under a minute."""

from __future__ import annotations

from pathlib import Path


def demo(*, output: Path | None = None) -> None:
    """Compile a leg, let it swing on its knee, print figures and write a plot.

    Args:
        output: Where the plot goes; a file name ending in .html.
    """
    from condyle.report.demo import run

    run(output)
