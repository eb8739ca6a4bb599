"""Condyle works where nothing can be written and there is no home folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LEG = Path(__file__).resolve().parents[1] / "docs" / "examples" / "leg.yaml"
# A namespace of our own with a read-only root file system: the attempt to write must fail.
PREPARE = (
    "mount --make-rprivate / && mount -o remount,ro,bind / && cd / && ! touch {folder}/probe 2>/dev/null"
)
COMMAND = "import sys; from condyle.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def read_only(tmp_path_factory):
    """Runs this interpreter with a read-only file system and an empty environment."""
    folder = tmp_path_factory.mktemp("read_only")
    prepare = PREPARE.format(folder=folder)
    unshare = shutil.which("unshare")
    if (
        unshare is None
        or subprocess.run([unshare, "-rm", "sh", "-c", prepare], capture_output=True).returncode
    ):
        pytest.skip("this system lets no process make its file system read-only (unshare -rm)")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        shell = f'{prepare} && exec "$0" "$@"'
        command = [unshare, "-rm", "sh", "-c", shell, sys.executable, *arguments]
        environment = {"PATH": os.environ.get("PATH", ""), "PYTHONDONTWRITEBYTECODE": "1"}
        if "CONDYLE_BACKEND" in os.environ:
            environment["CONDYLE_BACKEND"] = os.environ["CONDYLE_BACKEND"]
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=120, check=False
        )

    return run


def test_help(read_only):
    """`condyle --help` needs no folder."""
    done = read_only("-c", COMMAND, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Commands:" in done.stdout


def test_compile_and_simulate(read_only):
    """A model compiles and moves; one warning says that nothing is kept."""
    code = (
        "import condyle as cd\n"
        f"mech = cd.compile(cd.read_yaml({str(LEG)!r}))\n"
        "q, u = mech.default_state()\n"
        "print(int(cd.simulate(mech, q, u, [0.0, 0.1]).status))\n"
    )
    done = read_only("-c", code)
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr
    assert done.stderr.count("Warning") == 1
    assert "Models are compiled anew; set CONDYLE_CACHE" in done.stderr


def test_demo(read_only):
    """`condyle demo` compiles, simulates and prints its figures, and ends without a traceback."""
    done = read_only("-c", COMMAND, "demo")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout
