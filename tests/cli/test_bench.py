"""`condyle bench`: what it prints. The measurements have tests of their own."""

import json

import pytest

from condyle import bench
from condyle.bench.row import Row
from condyle.cli import main

ROW = Row("aba_batch", "us", condyle=0.15, peers={"pinocchio": 6.0}, notes=["packing included"])
ROW.ratio["pinocchio"] = 40.0
ROW.at_least(25.0, "pinocchio")
BROKEN = Row("rk4_single", "us", failed="Disagreement: outputs differ by 1e-3")


@pytest.fixture
def asked(monkeypatch):
    """Let `condyle bench` return two rows; gives the list of cases that were asked for."""
    found = []

    def run(cases=None, progress=None):
        found.append(cases)
        progress("measuring")
        return {"schema_version": 1, "machine": {"cpu": "znver5"}, "cases": [ROW.as_dict(), BROKEN.as_dict()]}

    monkeypatch.setattr(bench, "run", run)
    return found


@pytest.mark.parametrize("option", [[], ["--case"]])
def test_json_alone_on_standard_output(asked, capsys, option):
    """The document has the documented keys; progress goes to standard error; cases are passed on."""
    assert main(["bench", "--json", *option, "aba_batch", *option, "rk4_single"]) == 0
    captured = capsys.readouterr()
    assert captured.err == "measuring\n"
    result = json.loads(captured.out)
    assert set(result) == {"schema_version", "machine", "cases"}
    assert {"case", "unit", "condyle", "peers", "ratio"} <= set(result["cases"][0])
    assert asked == [["aba_batch", "rk4_single"]]


def test_text_shows_ratio_target_and_failure(asked, capsys):
    """The table has ratio and target; failures and notes follow."""
    assert main(["bench"]) == 0
    text = capsys.readouterr().out
    for part in (
        "40 x",
        "yes",
        "FAILED",
        "rk4_single: Disagreement: outputs differ by 1e-3",
        "packing included",
    ):
        assert part in text
    assert asked == [None]


def test_unknown_case(capsys):
    """A misspelt case is a sentence with the closest one."""
    assert main(["bench", "--case", "abba_batch"]) == 2
    assert "did you mean 'aba_batch'?" in capsys.readouterr().err
