"""`condyle doctor`."""

import json

import numpy as np

from condyle.cli import main
from condyle.kernels import cache


def report(capsys, *tokens: str) -> dict:
    assert main(["doctor", "--json", *tokens]) == 0
    return json.loads(capsys.readouterr().out)


def test_versions_and_processor(capsys):
    """Versions of what is installed, null for what is not, lanes of the processor."""
    found = report(capsys)
    assert found["packages"]["numpy"] == np.__version__
    assert found["processor"]["lanes"] in (2, 4, 8)
    assert main(["doctor"]) == 0
    assert "packages.casadi" in capsys.readouterr().out


def test_cache_is_checked_and_cleared(tmp_path, monkeypatch, capsys):
    """A broken file is named and removed, the others are counted; --strict makes it exit code 1."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("CONDYLE_CACHE", str(folder))
    for number in range(3):
        assert cache.store(bytes([number]), "object", b"payload", {})
    broken = sorted(folder.iterdir())[0]
    broken.write_bytes(broken.read_bytes()[:-1])
    assert main(["doctor", "--cache", "--strict", "--json"]) == 1
    state = json.loads(capsys.readouterr().out)["cache"]
    assert (len(state["broken"]), state["object_files"]) == (1, 2)
    assert broken.name in state["broken"][0]
    assert not broken.exists()
    state = report(capsys, "--cache-clear")["cache"]
    assert (state["removed"], state["bytes"]) == (2, 0)


def test_cache_that_is_off(monkeypatch, capsys):
    """A cache that is off says why."""
    monkeypatch.setenv("CONDYLE_CACHE", "off")
    assert report(capsys)["cache"] == {"folder": None, "reason": "CONDYLE_CACHE is 'off'"}
