"""`condyle study`: what it prints, and its exit codes."""

import json
import subprocess
import sys

import numpy as np
import pytest

from condyle import studies
from condyle.cli import main
from condyle.errors import CondyleError, InputError
from condyle.studies import Claim, StudyResult, registry

RESULT = StudyResult(
    "example",
    {"ratio": {"a": 2.0}, "reaction": np.array([1.0, 2.0]), "time": np.zeros(13)},
    (Claim("half as slow [m]", 12.1, 24.2, True), Claim("exact", "1e-14", None, False)),
)


@pytest.fixture
def example(monkeypatch):
    """Let `condyle study run example` return RESULT after a line of progress."""

    def run(name, progress=None):
        progress("measuring")
        return RESULT

    monkeypatch.setattr(studies, "run", run)


def test_json_alone_on_standard_output(example, capsys):
    """The document is as documented; progress goes to standard error."""
    assert main(["study", "run", "example", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == "measuring\n"
    assert json.loads(captured.out) == {
        "schema_version": 1,
        "study": "example",
        "figures": {"ratio": {"a": 2.0}, "reaction": [1.0, 2.0], "time": [0.0] * 13},
        "claims": [
            {"claim": "half as slow [m]", "paper": 12.1, "here": 24.2, "holds": True},
            {"claim": "exact", "paper": "1e-14", "here": None, "holds": False},
        ],
    }


def test_text_shows_paper_beside_ours(example, capsys):
    """The table has the paper's figure, ours, and which claims hold."""
    assert main(["study", "run", "example"]) == 0
    text = capsys.readouterr().out
    for part in ("half as slow [m]", "12.1", "24.2", "yes", "NO", "ratio.a", "(1, 2)"):
        assert part in text
    assert "time" not in text and "and 1 series, which --json prints in full" in text
    assert text.endswith("1 of 2 claims hold here\n")


def test_strict(example, capsys):
    """A claim that does not hold is a result; `--strict` makes it exit code 1."""
    assert main(["study", "run", "example", "--strict"]) == 1
    assert main(["study", "run", "example", "--strict", "--json"]) == 1


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("angle: found 3, allowed 0 to 1"), 2, "condyle: angle: found 3, allowed 0 to 1\n"),
        (CondyleError("no LLVM"), 2, "condyle: no LLVM\n"),
        (KeyboardInterrupt(), 130, "condyle: interrupted\n"),
    ],
)
def test_ways_of_ending(monkeypatch, capsys, error, code, message):
    """Our own errors are a sentence without a traceback, Ctrl-C is 130."""

    def run(name, progress=None):
        raise error

    monkeypatch.setattr(studies, "run", run)
    assert main(["study", "run", "example", "--json"]) == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", message)


@pytest.mark.parametrize("tokens", [["study", "list"], ["--help"], ["doctor"]])
def test_reader_that_leaves_is_no_error(tokens):
    """`condyle study list | true` ends quietly."""
    command = [sys.executable, "-c", "import sys; from condyle.cli import main; sys.exit(main())", *tokens]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (0, "")


def test_every_module_with_a_name_is_a_study():
    """The listing, read from the sources, agrees with the modules, and each has a `run`."""
    found = registry._scan()
    assert found
    for name, (title, home) in found.items():
        module = __import__(home, fromlist=["run"])
        assert (module.NAME, module.TITLE) == (name, title)
        assert callable(module.run)
        assert title and len(title) <= 110
