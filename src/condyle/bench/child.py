"""Measurements that need their own process: `python -m condyle.bench.child TASK [ARGUMENTS]` prints JSON.

Nothing of a peer is imported here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any


def ask(task: str, *arguments: str, cache: str) -> Any:
    """The answer of a task run in a new process whose cache folder is `cache` (or "off")."""
    environment = os.environ | {"CONDYLE_CACHE": cache}
    command = [sys.executable, "-m", "condyle.bench.child", task, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(
            f"{' '.join(command[1:])} ended with code {done.returncode}: {done.stderr[-2000:]}"
        )
    return json.loads(done.stdout)


def imported() -> None:
    """Import everything that compiling needs, so that no import is timed."""
    import llvmlite.binding  # noqa: F401

    import condyle.kernels

    for found in walk_packages(condyle.kernels.__path__, "condyle.kernels."):
        import_module(found.name)
    import condyle.bench.kernels


def first_call() -> dict[str, float]:
    """Seconds from the description to the first accelerations: trace or load, compile or load, one call."""
    imported()
    from condyle.bench.humanoid import humanoid
    from condyle.compiled.mechanism import Mechanism

    model = humanoid()
    begin = time.perf_counter()
    mechanism = Mechanism(model)
    mechanism.forward_dynamics(*mechanism.default_state())
    return {"seconds": time.perf_counter() - begin}


def chains(lengths: str, rounds: str) -> dict[str, Any]:
    """Times of ABA and RNEA for chains of pins."""
    imported()
    from condyle.bench.chains import measure

    return measure([int(n) for n in lengths.split(",")], int(rounds))


def memory(lengths: str) -> dict[str, float]:
    """Peak resident memory [MB] after every kernel of the benchmark was compiled and called, and before."""
    from condyle.bench.every_kernel import compiled_and_called

    imported()
    before = peak()
    compiled_and_called([int(n) for n in lengths.split(",")])
    return {"before": before, "peak": peak()}


def peak() -> float:
    """Largest resident size of this process so far [MB]."""
    try:
        # Linux counts what the parent had before this program started into ru_maxrss, but not into VmHWM.
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


TASKS: dict[str, Callable[..., Any]] = {"first_call": first_call, "chains": chains, "memory": memory}


def main(arguments: list[str]) -> None:
    """Run the task and print what it returns."""
    print(json.dumps(TASKS[arguments[0]](*arguments[1:])))


if __name__ == "__main__":
    main(sys.argv[1:])
