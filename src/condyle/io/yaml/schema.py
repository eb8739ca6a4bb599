"""The JSON schema of a model file, for editors and other programs.

`python -m condyle.io.yaml.schema` writes the file that is shipped; a test says when that is due.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from condyle.files import write_atomically
from condyle.io.yaml.form import FAMILIES, FORMAT_VERSION, model_form, type_name
from condyle.io.yaml.units import EXAMPLES

SCHEMA_PATH = Path(__file__).parents[1] / "model.schema.json"


def model_schema() -> dict[str, Any]:
    """The schema that belongs to this version of the description's classes."""
    raw = model_form().model_json_schema()
    shared: dict[str, Any] = {}
    definitions = {name: _tidy(item, shared) for name, item in raw.pop("$defs").items()}
    body = _tidy(raw, shared)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:condyle:model:{FORMAT_VERSION}",
        "title": "Condyle model",
        **body,
        "$defs": shared | definitions,
    }


def schema_text() -> str:
    """What the shipped file holds: one definition per line."""
    schema = model_schema()
    definitions = ",\n".join(f"  {_line(key)}: {_line(item)}" for key, item in schema.pop("$defs").items())
    lines = [f" {_line(key)}: {_line(item)}" for key, item in schema.items()]
    return "{\n" + ",\n".join([*lines, f' "$defs": {{\n{definitions}\n }}']) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def _tidy(value: Any, shared: dict[str, Any]) -> Any:
    """Without titles and defaults that say nothing; what recurs is a reference."""
    if isinstance(value, list):
        return [_tidy(item, shared) for item in value]
    if not isinstance(value, dict):
        return value
    if "quantity" in value:
        name = f"quantity_{value['quantity']}"
        shared[name] = _quantity(value["quantity"])
        return {"$ref": f"#/$defs/{name}"} | {key: value[key] for key in ("default",) if key in value}
    if "discriminator" in value:
        family = next(name for name in FAMILIES if value["oneOf"][0]["$ref"].endswith(name.__name__))
        shared[f"any_{type_name(family)}"] = {"oneOf": value["oneOf"]}
        return {"$ref": f"#/$defs/any_{type_name(family)}"}
    kept = {key: item for key, item in value.items() if key != "default" or item not in (None, [])}
    if isinstance(kept.get("title"), str):
        del kept["title"]
    entries = kept.get("prefixItems")
    if isinstance(entries, list) and all(entry == entries[0] for entry in entries):
        kept["items"] = kept.pop("prefixItems")[0]
    return {key: _tidy(item, shared) for key, item in kept.items()}


def _quantity(units: str) -> dict[str, Any]:
    names = list(EXAMPLES) if units == "any" else [name for name in units.split("_or_") if name in EXAMPLES]
    if not names:
        return {"type": "number"}
    examples = [EXAMPLES[name] for name in names]
    text = {"type": "string", "pattern": r"^\s*[-+.0-9].*[A-Za-z]", "examples": examples}
    return {"description": "in SI units, or with a unit", "anyOf": [{"type": "number"}, text]}


if __name__ == "__main__":
    write_atomically(SCHEMA_PATH, schema_text())
