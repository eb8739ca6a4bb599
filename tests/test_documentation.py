"""What the pages show works: their code runs, and what they point at exists."""

import re
import shutil
from importlib import import_module
from pathlib import Path

import casadi as ca
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
STATES = {"done", "open"}


def code_blocks(page: Path) -> list[str]:
    """The Python blocks of a page."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/getting_started.md",
        "docs/kernels.md",
        "docs/simulation.md",
        "docs/absolute.md",
        "docs/ankle.md",
        "docs/closed_form.md",
        "docs/couplings.md",
        "docs/loops.md",
        "docs/drivers.md",
        "docs/euler_parameters.md",
    ],
)
def test_code_of_a_page_runs(page, tmp_path, monkeypatch):
    """The blocks of a page run in order, beside the example files."""
    shutil.copytree(DOCS / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    blocks = code_blocks(ROOT / page)
    assert blocks
    exec("\n".join(blocks), {"__name__": page})


def test_joint_of_the_guide_works(tmp_path, monkeypatch):
    """The joint that CONTRIBUTING shows can be compiled, and moves as its docstring says."""
    import condyle as cd
    from condyle.joints.derived import hinge

    (block,) = (text for text in code_blocks(ROOT / "CONTRIBUTING.md") if "class Rolling" in text)
    (tmp_path / "rolling_of_the_guide.py").write_text(block)
    monkeypatch.syspath_prepend(tmp_path)
    Rolling = import_module("rolling_of_the_guide").Rolling
    joint = Rolling("roll", "ground", "wheel", radius=0.25)
    q = ca.SX.sym("q")
    H = ca.Function("H", [q], [hinge(joint, q)])(0.3).full().ravel()
    np.testing.assert_allclose(H, [0, 0, 1, -0.25, 0, 0], atol=1e-15)
    wheel = cd.Body("wheel", mass=2.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    mech = cd.compile(cd.Model("rolling", bodies=(wheel,), joints=(joint,)))
    np.testing.assert_allclose(mech.mass_matrix([0.3]), [[0.1 + 2.0 * 0.25**2]], rtol=1e-14)
    assert Rolling("roll", "ground", "wheel", radius=-1.0).problems()


def coverage_rows() -> list[list[str]]:
    """Cells of every row of the coverage tables: what, file, test, state."""
    lines = (DOCS / "coverage.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in rows if row[-1] not in ("state", "---")]


def test_coverage_points_at_what_exists():
    """Files and tests that the coverage table names exist; no line without a test claims to be done."""
    rows = coverage_rows()
    assert len(rows) >= 39
    for row in rows:
        *_, files, tests, state = row
        assert state in STATES, row
        assert state == "open" or (files and tests), row
        for file in re.findall(r"`([^`]+)`", files):
            assert (ROOT / "src" / "condyle" / file).exists(), row
        for test in re.findall(r"`([^`]+)`", tests):
            path, _, function = test.partition("::")
            assert (ROOT / "tests" / path).exists(), row
            assert not function or f"def {function}(" in (ROOT / "tests" / path).read_text(), row


def test_coverage_has_every_equation():
    """The mobilizers paper has 39 equations, two tables and seven figures: each is in a row."""
    covered: set[str] = set()
    for row in coverage_rows():
        for first, last in re.findall(r"^(\d+)(?:-(\d+))?$", row[0]):
            covered |= {str(number) for number in range(int(first), int(last or first) + 1)}
        covered |= set(re.findall(r"^(table \d|figure \d)$", row[0]))
    expected = {*map(str, range(1, 40)), "table 1", "table 2", *(f"figure {n}" for n in range(1, 8))}
    assert expected <= covered, expected - covered


def test_empirical_paper_has_every_equation():
    """Its 201 equations: each is in a row of its own or in a group's."""
    text = (DOCS / "coverage.md").read_text().partition("### Empirically-based")[2].partition("\n### ")[0]
    covered: set[int] = set()
    for cell in re.findall(r"^\| (?:group )?([\d, -]+)[ab]? \|", text, flags=re.MULTILINE):
        for first, last in re.findall(r"(\d+)(?:-(\d+))?", cell):
            covered |= set(range(int(first), int(last or first) + 1))
    assert covered == set(range(1, 202)), set(range(1, 202)) ^ covered


def test_appendix_on_euler_parameters_has_every_equation():
    """B.1 to B.67 of the dissertation: each is in a row of its own, and done."""
    text = (DOCS / "coverage.md").read_text().partition("### Euler parameters")[2].partition("\n### ")[0]
    covered = re.findall(r"^\| B\.(\d+) \|.*\| done \|$", text, flags=re.MULTILINE)
    assert covered == [str(number) for number in range(1, 68)]


def test_every_study_has_a_line():
    """The page of studies names those that exist and no others."""
    from condyle import studies

    named = re.findall(r"^\| `([\w-]+)` \|", (DOCS / "studies.md").read_text(), flags=re.MULTILINE)
    assert sorted(named) == list(studies.titles())


def test_every_command_has_a_line():
    """The changelog and the pages name every command."""
    from condyle.cli import COMMANDS

    text = "\n".join(page.read_text() for page in (ROOT / "README.md", *DOCS.glob("*.md")))
    assert not [name for name in COMMANDS if f"condyle {name}" not in text]


def test_every_method_has_a_line():
    """The page of simulation names every integration method."""
    from condyle.solve import METHODS

    text = (DOCS / "simulation.md").read_text()
    assert not [method for method in METHODS if f"`{method.__name__}`" not in text]
