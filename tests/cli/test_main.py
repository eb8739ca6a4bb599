"""The command line: what it prints where, and its exit codes."""

import json
import subprocess
import sys

import pytest

import condyle
from condyle.cli import COMMANDS, main
from condyle.cli.app import build


def condyle_command(*tokens: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; from condyle.cli import main; sys.exit(main())", *tokens]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_version():
    """`condyle --version` prints the version and nothing else."""
    done = condyle_command("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{condyle.__version__}\n", "")


@pytest.mark.parametrize("tokens", [(), ("--help",), ("-h",)])
def test_help_names_every_command(tokens, capsys):
    """The overview lists each command with its help."""
    assert main(tokens) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text and help in text for name, (_, help) in COMMANDS.items())


def test_every_command_resolves():
    """Each entry of the table can be imported and has the help that the overview shows."""
    app = build()
    for name, (_, help) in COMMANDS.items():
        command = app[name]
        assert command.help == help
        command.help_print([])


def test_typing_error_suggests_the_closest_command(capsys):
    """A misspelt command is answered on standard error with the closest one, exit code 2."""
    assert main(["stdy"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert '"study"' in captured.err


def test_study_list_is_strict_json():
    """`study list --json` is one JSON document with a schema version."""
    done = condyle_command("study", "list", "--json")
    assert done.returncode == 0
    listing = json.loads(done.stdout)
    assert listing["schema_version"] == 1
    assert {"name", "title"} <= set(listing["studies"][0])


def test_unknown_study(capsys):
    """An unknown study is a sentence with the closest name, not a traceback."""
    assert main(["study", "run", "scrow"]) == 2
    assert capsys.readouterr().err == "condyle: there is no study 'scrow'; did you mean 'screw'?\n"
