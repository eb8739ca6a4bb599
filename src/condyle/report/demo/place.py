"""Where the demo's page goes."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from condyle.errors import CondyleError, InputError
from condyle.files import atomic_path

NAME = "condyle_demo.html"
SUFFIXES = (".html", ".svg")


@contextlib.contextmanager
def opened(output: Path | None) -> Iterator[tuple[Path | None, str]]:
    """(temporary file or None, sentence for the end): the file is in its place when the body ends, or never.

    An `output` that cannot be written is an error at once, before anything is computed.
    """
    with contextlib.ExitStack() as stack:
        if output is not None:
            yield stack.enter_context(atomic_path(checked(output))), f"Open {output.resolve()} in a browser."
            return
        place, remark = Path(NAME), ""
        file = _entered(stack, place)
        if file is None and (folder := _temporary_folder(stack)) is not None:
            place, remark = folder / NAME, " (The current folder cannot be written.)"
            file = _entered(stack, place)
        if file is None:
            yield None, "No folder can be written: no page. `condyle demo --output FILE.html` names a place."
        else:
            yield file, f"Open {place.resolve()} in a browser.{remark}"


def checked(output: Path) -> Path:
    """The path, if its ending says a format that can be written."""
    if output.suffix not in SUFFIXES:
        raise InputError(f"cannot write {str(output)!r}: the name must end in {' or '.join(SUFFIXES)}")
    return output


def _entered(stack: contextlib.ExitStack, place: Path) -> Path | None:
    try:
        return stack.enter_context(atomic_path(place))
    except CondyleError:
        return None


def _temporary_folder(stack: contextlib.ExitStack) -> Path | None:
    """A new folder of our own (a fixed name could be somebody's link), gone again if it stays empty."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="condyle-"))
    except OSError:  # none for temporary files can be written
        return None
    stack.callback(_remove_empty, folder)
    return folder


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()
