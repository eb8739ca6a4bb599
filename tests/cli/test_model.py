"""`condyle model` and `condyle schema`."""

import json
from pathlib import Path

import jsonschema
from ruamel.yaml import YAML

from condyle.cli import main

LEG = Path(__file__).resolve().parents[2] / "docs" / "examples" / "leg.yaml"


def test_good_file(capsys):
    """A model without problems is summed up, with its coordinates."""
    assert main(["model", "check", str(LEG)]) == 0
    text = capsys.readouterr().out
    assert "14.6 kg; no problems found" in text
    assert "knee.angle" in text


def test_good_file_as_json(capsys):
    """The same as JSON; an unlimited range is null."""
    assert main(["model", "check", str(LEG), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema_version"] == 1
    assert [item["name"] for item in found["coordinates"]] == ["hip.angle", "knee.angle"]
    assert found["coordinates"][0]["default"] == 0.5235987755982988


def test_bad_file(tmp_path, capsys):
    """Every problem is listed on standard error with file, line and column; nothing on standard output."""
    bad = tmp_path / "bad.yaml"
    bad.write_text(
        LEG.read_text().replace("parent: thigh", "parent: tigh").replace("mass: 9.3", "mass: -9.3")
    )
    assert main(["model", "check", str(bad), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "2 problems" in captured.err
    assert f"{bad}:" in captured.err and "'thigh'" in captured.err


def test_missing_file(tmp_path, capsys):
    """A missing file is a sentence."""
    assert main(["model", "check", str(tmp_path / "nothing.yaml")]) == 2
    assert "no file" in capsys.readouterr().err


def test_schema_accepts_the_example(capsys):
    """The printed schema is a JSON schema, accepts the example, and refuses a misspelt key."""
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.validators.validator_for(schema).check_schema(schema)
    content = YAML(typ="safe").load(LEG.read_text())
    jsonschema.validate(content, schema)
    content["joints"]["hip"]["paren"] = content["joints"]["hip"].pop("parent")
    try:
        jsonschema.validate(content, schema)
    except jsonschema.ValidationError:
        return
    raise AssertionError("a misspelt key passed")
