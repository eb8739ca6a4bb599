"""Run every check of the project in the current environment, or some: `python tests/run.py ruff pytest`.

All checks run even when an early one fails; the exit code is 0 only when all passed. The tests share the
machine's cores, neighbours stay on one: they share what they compile, and studies that were run. The last
check repeats the numerical tests on CasADi's interpreter, the path of machines where LLVM is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INTERPRETED = ("kernels", "joints", "constraints", "dynamics", "compiled", "solve", "analyses")


def checks() -> dict[str, tuple[list[str], dict[str, str]]]:
    """Name of each check: command and additions to the environment, in running order."""
    python = sys.executable
    module = [python, "-m"]
    pytest = [*module, "pytest", "-q", "-n", "auto", "--dist", "worksteal"]
    interpreted = [f"tests/{name}" for name in INTERPRETED if (ROOT / "tests" / name).is_dir()]
    return {
        "ruff": ([*module, "ruff", "check", "."], {}),
        "format": ([*module, "ruff", "format", "--check", "."], {}),
        "layers": ([python, "-c", "from importlinter.cli import lint_imports_command as c; c()"], {}),
        "pyright": ([*module, "pyright", "--pythonpath", python, "--warnings"], {}),
        "docs": (
            [*module, "sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", "docs/_build/html"],
            {},
        ),
        "pytest": (pytest, {}),
        "interpreter": ([*pytest, *interpreted], {"CONDYLE_BACKEND": "casadi"}),
    }


def main(names: list[str]) -> int:
    """Run the named checks, or all; return the process's exit code."""
    available = checks()
    unknown = [name for name in names if name not in available]
    if unknown:
        print(f"no check called {', '.join(unknown)}; there are: {', '.join(available)}")
        return 2
    rows = []
    for name in names or available:
        command, additions = available[name]
        print(f"\n=== {name}: {' '.join(command[1:])}", flush=True)
        start = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, env={**os.environ, **additions}, check=False).returncode
        rows.append((name, code, time.monotonic() - start))
    print("\n=== summary")
    for name, code, seconds in rows:
        print(f"{name:12} {'passed' if code == 0 else f'FAILED ({code})':12} {seconds:7.1f} s")
    return int(any(code for _, code, _ in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
