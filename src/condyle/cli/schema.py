"""`condyle schema`: the JSON schema of model files."""

from __future__ import annotations

from condyle.cli.output import print_json


def schema() -> None:
    """Print the JSON schema of model files, for editors that complete and check while you type."""
    from condyle.io.yaml.schema import json_schema

    print_json(json_schema())
