"""`condyle demo`: something real in under a minute."""

from __future__ import annotations

from pathlib import Path


def demo(*, output: Path | None = None) -> None:
    """Compile a leg, let it swing on its knee, print figures and write a page with a moving leg.

    Args:
        output: Where the page goes: a file name ending in .html, or in .svg for the picture alone.
            By default condyle_demo.html in the current folder.
    """
    from condyle.report.demo import run

    run(output)
