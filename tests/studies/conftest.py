"""Every study is run once, as users run it, with few states and rounds of timing."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from typing import Any

import pytest

from condyle.cli import main
from condyle.studies import andrews, four_bar, twins

QUICK = {
    twins: {"ROWS": 16, "MEMBERS": 32, "ROUNDS": 3},
    andrews: {"ROUNDS": 1, "MEMBERS": 1},
    # The ways and the motion that the figures have names for, no others.
    four_bar: {
        "STEPS": {"natural cubic": (0.01,), "quintic": (0.005,), "molecule": (1e-4,)},
        "AMPLITUDES": (1.5,),
    },
}


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@pytest.fixture(scope="session")
def study() -> Callable[[str], dict[str, Any]]:
    """study(name): the document that `condyle study run NAME --json` prints."""

    @cache
    def run(name: str) -> dict[str, Any]:
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
            for module, constants in QUICK.items():
                for constant, value in constants.items():
                    patch.setattr(module, constant, value)
            assert main(["study", "run", name, "--json"]) == 0
        return json.loads(printed.getvalue(), parse_constant=_refuse)

    return run
