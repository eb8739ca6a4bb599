"""What `import condyle` and the shortest commands cost."""

import json
import subprocess
import sys
import time

import pytest

ALLOWED = {"condyle", "numpy"}
START = "import sys; before = set(sys.modules); "
REPORT = (
    "; import json; print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
)


def loaded_by(statement: str) -> set[str]:
    """Top-level packages outside the standard library that `statement` imports in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", START + statement + REPORT], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1])) - set(sys.stdlib_module_names)


def best_seconds(*arguments: str) -> float:
    """Shortest wall time of five runs of this interpreter: what the code costs when nothing else runs."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def test_import_loads_numpy_at_most():
    """`import condyle` loads no package but itself and NumPy."""
    assert loaded_by("import condyle") <= ALLOWED


@pytest.mark.parametrize("tokens", [[], ["--help"], ["--version"]])
def test_help_and_version_load_no_parser(tokens):
    """The overview and the version load no package but Condyle."""
    assert loaded_by(f"import condyle.cli; condyle.cli.main({tokens})") <= ALLOWED


def test_study_list_loads_no_study():
    """Listing the studies imports neither CasADi nor a compiler."""
    heavy = {"casadi", "llvmlite", "numpy", "rich"}
    assert not loaded_by("import condyle; condyle.studies.titles()") & heavy


def test_import_time():
    """`import condyle` takes at most 0.3 s, interpreter included."""
    assert best_seconds("-c", "import condyle") <= 0.3


def test_help_time():
    """`condyle --help` takes at most 0.5 s, interpreter included, and so does the help of a command."""
    run = "import sys; from condyle.cli import main; sys.exit(main())"
    assert best_seconds("-c", run, "--help") <= 0.5
    assert best_seconds("-c", run, "study", "--help") <= 1.0


def test_public_names_exist():
    """Every public name of the package can be fetched, and a misspelt one is answered with the closest."""
    import condyle

    for name in dir(condyle):
        getattr(condyle, name)
    with pytest.raises(AttributeError, match="did you mean 'compile'"):
        condyle.complie  # noqa: B018


def test_every_module_imports():
    """Each module of the package can be imported on its own, and importing compiles nothing."""
    code = (
        "import importlib, pkgutil, condyle\n"
        "names = [m.name for m in pkgutil.walk_packages(condyle.__path__, 'condyle.')]\n"
        "for name in names: importlib.import_module(name)\n"
        "import sys, os\n"
        "from condyle.solve.native.build import _ENGINES\n"
        "assert not _ENGINES\n"
        "assert len(names) > 40\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
