"""The `condyle` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["COMMANDS", "main"]

#: Every command: where it is defined (imported only when it is called) and its line of help.
COMMANDS = {
    "demo": (
        "condyle.cli.demo:demo",
        "Compile a leg, let it swing on its knee, print figures and write a plot.",
    ),
    "study": (
        "condyle.cli.study:app",
        "Run the experiments of the papers and compare their figures with ours.",
    ),
    "bench": ("condyle.cli.bench:bench", "Measure speed and memory beside other engines."),
    "model": ("condyle.cli.model:app", "Check a model file and show what it describes."),
    "schema": ("condyle.cli.schema:schema", "Print the JSON schema of model files, for editors."),
    "doctor": ("condyle.cli.doctor:doctor", "Show versions, the processor and the state of the cache."),
}


def main(tokens: Sequence[str] | None = None) -> int:
    """Run one command line (the process's own by default); return the exit code.

    0: done. 1: `--strict` and something did not hold. 2: the input is wrong, and a sentence on standard error
    says how. 130: interrupted.
    """
    try:
        code = dispatch(list(sys.argv[1:] if tokens is None else tokens))
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `condyle ... | head`: keep Python from flushing to a reader that has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def dispatch(tokens: list[str]) -> int:
    """Answer what needs no parser, or parse and run."""
    # The commonest questions: importing the parser would take ten times as long.
    if not tokens or tokens in (["--help"], ["-h"]):
        print(overview())
        return 0
    if tokens == ["--version"]:
        from condyle import __version__

        print(__version__)
        return 0
    from condyle.cli.app import run

    return run(tokens)


def overview() -> str:
    """The text of `condyle --help`."""
    width = max(map(len, COMMANDS))
    lines = [
        "Compile models of the human body into machine code, and analyse them.",
        "",
        "Usage: condyle COMMAND [--help]",
        "",
        "Commands:",
        *(f"  {name:{width}}  {help}" for name, (_, help) in COMMANDS.items()),
        "",
        "Options:",
        "  --help, -h  Show this text; after a command, that command's.",
        "  --version   Show the version.",
    ]
    return "\n".join(lines)
