"""`condyle demo`: something real in under a minute, on an embedded model."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from condyle.report.demo.place import opened

LEGS = 1000


def run(output: Path | None = None, legs: int = LEGS) -> None:
    """Compile a leg on the empirical knee, let it swing, print figures, write a page or picture (.svg).

    Without `output` the page is `condyle_demo.html` in the current folder; where that cannot be written it
    goes to a folder for temporary files, and if there is none only the figures are printed.
    """
    start = time.perf_counter()
    with opened(output) as (file, told):
        _say("loading ...")
        from condyle.library import knee, knee_pin
        from condyle.report.demo import figure, measure, page, show

        _say("compiling and swinging a leg on the empirical knee ...")
        swing = measure.swing(knee())
        _say("the same leg on a pin ...")
        pin = measure.swing(knee_pin())
        _say(f"{legs:,} legs at once ...")
        ensemble = measure.ensemble(knee(), legs)
        show.print_figures(swing, pin, ensemble)
        if file is not None:
            drawn = (figure.picture if file.suffix == ".svg" else page.render)(swing, pin, ensemble)
            file.write_text(drawn, encoding="utf-8")
    print(told)
    print(f"All in {time.perf_counter() - start:.1f} s.")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
