"""Loops on disk: found by the next process, never after an edit, and not needed at all."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from condyle.kernels.loop_stamp import stamp

HELPER = """
from condyle.kernels.jit import loop
FACTOR = 2.0
@loop
def helper(x):
    return FACTOR * x
"""
MAIN = """
import sys
import numpy as np
from condyle.kernels.jit import loop
from helper_module import helper
TABLE = np.array([1.0, 10.0])
@loop
def main(x):
    return helper(x) + TABLE[1]
print(main(3.0))
print(sum(main.dispatcher.stats.cache_hits.values()))
"""


def run(folder: Path, environment: dict[str, str], *options: str) -> list[str]:
    """Output lines of main_module in a new process that has only this environment."""
    keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "PYTHONPATH") if name in os.environ}
    command = [sys.executable, *options, "-B", str(folder / "main_module.py")]
    done = subprocess.run(command, env=keep | environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split() + ([done.stderr] if done.stderr else [])


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A loop in one file that calls a loop of another."""
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "helper_module.py").write_text(HELPER)
    (folder / "main_module.py").write_text(MAIN)
    return folder


def test_next_process_finds_it(program: Path, tmp_path: Path) -> None:
    """Compiled once; an edit of a comment keeps it, one of a called loop or a damaged file does not."""
    cache = {"CONDYLE_CACHE": str(tmp_path / "cache")}
    assert run(program, cache) == ["16.0", "0"]
    helper = program / "helper_module.py"
    helper.write_text("# a remark\n" + HELPER)
    assert run(program, cache) == ["16.0", "1"]
    helper.write_text(HELPER.replace("FACTOR * x", "FACTOR - x"))
    assert run(program, cache) == ["9.0", "0"]
    for path in (tmp_path / "cache").iterdir():
        path.write_bytes(path.read_bytes()[:-1] + b"!")
    assert run(program, cache) == ["9.0", "0"]
    assert run(program, cache) == ["9.0", "1"]
    assert not list(program.glob("**/*.nb?"))  # numba's own cache is not used


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="/proc stands for a read-only file system")
@pytest.mark.parametrize(
    "environment",
    [
        {"CONDYLE_CACHE": "off"},
        {"HOME": "/proc/nobody", "NUMBA_CACHE_DIR": "/proc/numba"},
        {"CONDYLE_CACHE": "/proc/condyle", "HOME": "/proc"},
    ],
)
def test_read_only_and_no_home(program: Path, environment: dict[str, str]) -> None:
    """With no writable folder anywhere a loop compiles and runs, with one warning unless it was asked for."""
    (program / "__pycache__").write_text("a file: so that not even root can write beside the modules")
    value, hits, *errors = run(program, environment)
    assert (value, hits) == ("16.0", "0")
    if environment.get("CONDYLE_CACHE") == "off":
        assert errors == []
    else:
        assert "".join(errors).count("RuntimeWarning: Condyle's cache is off") == 1


def test_processes_that_compile_at_once(program: Path, tmp_path: Path) -> None:
    """Two first calls of one loop with two signatures share a cache that is whole afterwards."""
    cache = {"CONDYLE_CACHE": str(tmp_path / "cache")}
    more = MAIN + "print(main(np.float32(4.0)))\n"
    (program / "main_module.py").write_text(more)
    command = [sys.executable, "-B", str(program / "main_module.py")]
    environment = dict(os.environ) | cache
    processes = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(2)]
    for process in processes:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert [output.split()[i] for i in (0, 2)] == [b"16.0", b"18.0"]
    assert run(program, cache)[1] == "1"
    names = sorted(path.name for path in (tmp_path / "cache").iterdir())
    assert len(names) == 4  # two loops, two signatures each
    assert all(name.startswith("loop-") for name in names)


def test_stamp_sees_what_numba_freezes() -> None:
    """Arrays by all their values, tuples by their parts, modules by the names that are read."""

    def function(x):
        return x * TABLE[0] + np.pi

    namespace = dict(function.__globals__)

    def stamped(**values: object) -> bytes:
        made = type(function)(function.__code__, namespace | values, "f")
        return stamp(made)

    table = np.zeros(5000)
    other = table.copy()
    other[2500] = 1.0
    assert stamped(TABLE=table) == stamped(TABLE=table.copy())
    assert stamped(TABLE=table) != stamped(TABLE=other)
    assert stamped(TABLE=(table, 1)) != stamped(TABLE=(other, 1))
    assert stamped(TABLE=(1.0, 2)) != stamped(TABLE=(1.0, 3))
    assert stamped(TABLE=(1.0, 2)) != stamped(TABLE=(1.0, 2), np=sys)


TABLE = np.zeros(1)
