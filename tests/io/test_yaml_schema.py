"""The shipped JSON schema is that of the classes, and accepts what the reader accepts."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from condyle.io import read_yaml, write_yaml
from condyle.io.yaml.schema import SCHEMA_PATH, schema_text

EXAMPLES = sorted(Path(__file__).parent.glob("*.yaml"))


def test_the_shipped_schema_is_up_to_date() -> None:
    """If this fails: `python -m condyle.io.yaml.schema` writes it anew."""
    assert SCHEMA_PATH.read_text(encoding="utf-8") == schema_text()


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    """The schema as another program would use it."""
    schema = json.loads(SCHEMA_PATH.read_text(encoding="utf-8"))
    assert schema["$id"].endswith(":1")
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_files_validate(path: Path, validator: jsonschema.Draft202012Validator) -> None:
    """What is read is valid, as written by hand and by the writer."""
    for text in (path.read_text(encoding="utf-8"), write_yaml(read_yaml(path))):
        assert [
            error.message for error in validator.iter_errors(YAML(typ="safe", pure=True).load(text))
        ] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [("type: pin", "type: pni"), ("mass", "mas"), ("condyle: 1", "condyle: 2"), ("parent: ground, ", "")],
)
def test_what_the_reader_refuses_is_invalid(
    old: str, new: str, validator: jsonschema.Draft202012Validator
) -> None:
    """Unknown kinds and keys, another version and a missing field."""
    text = (Path(__file__).parent / "pendulum.yaml").read_text(encoding="utf-8")
    assert old in text
    assert not validator.is_valid(YAML(typ="safe", pure=True).load(text.replace(old, new, 1)))
