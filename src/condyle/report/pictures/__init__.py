"""Pictures of studies: one module per study, with `draw(result) -> SVG`."""

from __future__ import annotations

import contextlib
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from condyle.errors import InputError, closest
from condyle.files import atomic_path
from condyle.report import page as html
from condyle.studies import StudyResult

SUFFIXES = (".html", ".svg")


def names() -> list[str]:
    """Studies that have a picture."""
    return sorted(item.name.replace("_", "-") for item in pkgutil.iter_modules(__path__))


def render(result: StudyResult, suffix: str) -> str:
    """The picture of a study's result, alone (".svg") or on a page with the study's claims (".html")."""
    drawn: str = import_module(f"{__name__}.{result.study.replace('-', '_')}").draw(result)
    if suffix == ".svg":
        return drawn
    rows = [
        (claim.claim, _short(claim.paper), _short(claim.here), "yes" if claim.holds else "NO")
        for claim in result.claims
    ]
    return html.page(
        f"Condyle: study {result.study}",
        f"<h1>Study: {result.study}</h1>",
        drawn,
        html.table(("claim", "paper", "here", "holds"), rows),
    )


@contextlib.contextmanager
def opened(study: str, path: Path | None) -> Iterator[Callable[[StudyResult], None]]:
    """What writes the picture of a result to `path` (nothing, without one).

    Whatever stands against it is an error at once, before the study runs; the file appears whole at the end.
    """
    if path is None:
        yield lambda result: None
        return
    if study not in names():
        raise InputError(f"study {study!r} has no picture{closest(study, names())}")
    if path.suffix not in SUFFIXES:
        raise InputError(f"cannot write {str(path)!r}: the name must end in {' or '.join(SUFFIXES)}")
    with atomic_path(path) as file:
        yield lambda result: _write(file, render(result, path.suffix))


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
