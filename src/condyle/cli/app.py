"""The application, and how every way of ending becomes an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Parameter

from condyle.cli import COMMANDS
from condyle.errors import CondyleError

WRONG_INPUT = 2
INTERRUPTED = 130


def run(tokens: Sequence[str]) -> int:
    """Exit code of a command line; see `condyle.cli.main`."""
    try:
        code = build()(tokens)
        return code if isinstance(code, int) else 0
    except CycloptsError:  # already printed, with the closest match
        return WRONG_INPUT
    except CondyleError as error:
        print(f"condyle: {error}", file=sys.stderr)
        return WRONG_INPUT
    except KeyboardInterrupt:
        print("condyle: interrupted", file=sys.stderr)
        return INTERRUPTED


def build() -> App:
    """The application with every command; a command's module is imported when it is called."""
    app = App(
        name="condyle",
        version_flags=[],
        default_parameter=Parameter(negative=()),
        help_format="plaintext",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        exit_on_error=False,
    )
    for name, (home, help) in COMMANDS.items():
        app.command(home, name=name, help=help)
    return app
