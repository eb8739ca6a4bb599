"""`condyle schema`: the JSON schema of model files."""

from __future__ import annotations


def schema() -> None:
    """Print the JSON schema of model files, for editors that complete and check while you type."""
    from condyle.io.yaml.schema import SCHEMA_PATH

    print(SCHEMA_PATH.read_text(encoding="utf-8"), end="")
