"""What is shipped, and what the first page promises."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
README = (ROOT / "README.md").read_text()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    """The wheel that `pip install .` would make."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_wheel_content(wheel):
    """The wheel has the code, its type marker, the schema and the licence, and nothing of the workshop."""
    names = wheel.namelist()
    assert {"condyle/__init__.py", "condyle/py.typed"} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.startswith("condyle/io/") and name.endswith(".json") for name in names)
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"condyle"}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_wheel_is_complete(wheel):
    """Every file of the package is in the wheel."""
    tracked = [
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "condyle").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    assert set(tracked) <= set(wheel.namelist())


def test_wheel_metadata(wheel):
    """Name, version, licence and entry point are as declared; every dependency has a floor."""
    import condyle

    name = next(item for item in wheel.namelist() if item.endswith("/METADATA"))
    metadata = wheel.read(name).decode()
    assert f"\nVersion: {condyle.__version__}\n" in metadata
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    entry_points = wheel.read(name.replace("METADATA", "entry_points.txt")).decode()
    assert "condyle = condyle.cli:main" in entry_points
    assert all(">=" in requirement for requirement in PROJECT["dependencies"])


def test_versions_agree():
    """The citation and the changelog name the version of the package."""
    import condyle

    assert f"\nversion: {condyle.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {condyle.__version__} " in (ROOT / "CHANGELOG.md").read_text()


def test_readme_shows_the_two_commands():
    """The first screen has the demo and the test command, which continuous integration runs to the letter."""
    first_screen = "\n".join(README.splitlines()[:40])
    assert "pip install . && condyle demo" in first_screen
    command = 'pip install ".[test]" && python tests/run.py'
    assert command in first_screen
    assert command in (ROOT / ".ci" / "run").read_text()


def test_readme_links_resolve():
    """Files that README and the guides link to exist."""
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_file_sizes():
    """No source file above 24 kB: a reader knows which room they are in."""
    large = [path for path in (ROOT / "src").rglob("*.py") if path.stat().st_size > 24_000]
    assert not large
