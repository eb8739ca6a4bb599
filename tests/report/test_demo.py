"""`condyle demo`: figures, a page that is complete in one file, and places that cannot be written."""

import json
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

from condyle.errors import InputError
from condyle.library import knee, knee_pin
from condyle.report import demo
from condyle.report.demo import figure, measure, page, show

from .pages import assert_complete, svg_root

COMMAND = "import sys; from condyle.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def measured():
    """The demo's three runs, with a small ensemble."""
    return measure.swing(knee()), measure.swing(knee_pin()), measure.ensemble(knee(), 20)


def test_figures(measured):
    """The leg does what the independent reference of the knee study says, and keeps its energy."""
    swing, pin, ensemble = measured
    assert np.abs(swing.reversals - [0.65, 1.29, 1.93]).max() < 0.01
    on_grid = swing.angle[::2]  # the reference was read every 10 ms
    assert np.degrees(on_grid.min()) == pytest.approx(-119.464, abs=5e-4)
    assert np.abs(swing.drift).max() < 1e-6
    assert swing.operations > pin.operations > 0
    assert ensemble.finished == 20
    assert ensemble.period.min() > 1.0
    assert len({row.tobytes() for row in ensemble.angle}) == 20


def test_load_at_release(measured):
    """At rest the load is the weight of the shank less what its falling takes: m (g - a) of its centre."""
    swing = measured[0]
    body = swing.mechanism.model.bodies[0]
    q, u = swing.motion.states[0, :1], swing.motion.states[0, 1:]
    udot = swing.mechanism.forward_dynamics(q, u)
    acceleration = swing.mechanism.point_motion(q, u, udot, "tibia", body.center_of_mass)[2]
    expected = body.mass * np.linalg.norm(acceleration + np.array([0, 9.80665, 0]))
    assert np.linalg.norm(swing.force[0]) == pytest.approx(expected, rel=1e-12)


def test_page(measured):
    """The page is complete in one file, and its data are strict JSON that agree with the run."""
    text = page.render(*measured)
    assert_complete(text)
    data = json.loads(re.search(r'<script type="application/json" id="swing">(.*?)</script>', text).group(1))
    assert len(data["time"]) == len(data["angle_deg"]) == len(data["load"])
    assert min(data["angle_deg"]) == pytest.approx(np.degrees(measured[0].angle.min()), abs=0.5)
    for element in re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL):
        svg_root(element)
    assert text.count("<svg") == 2
    assert len(text) < 300_000


def test_picture_moves(measured):
    """Bones, contact point and cursors move together: all animations last as long and have as many frames."""
    root = svg_root(figure.picture(*measured))
    moving = [item for item in root.iter() if item.tag.endswith(("}animate", "}animateTransform"))]
    assert {item.get("dur") for item in moving} == {"4.0000s"}
    assert {len(item.get("values").split(";")) for item in moving} == {81}
    assert sum(item.tag.endswith("}animateTransform") for item in moving) == 8


def test_rows_name_units(measured):
    """Every measured row says its unit or has none to say."""
    names = [name for name, *_ in show.rows(*measured[:2])]
    assert sum(re.search(r"\[(s|ms|µs|deg|N)\]", name) is not None for name in names) == 6


def test_run_in_current_folder(tmp_path, monkeypatch, capsys):
    """Without a name the page lands in the current folder, alone, and the output says where."""
    monkeypatch.chdir(tmp_path)
    demo.run(None, legs=8)
    assert [item.name for item in tmp_path.iterdir()] == ["condyle_demo.html"]
    printed = capsys.readouterr().out
    assert str(tmp_path / "condyle_demo.html") in printed.replace("\n", "")
    assert "8 of 8 legs" in printed


def test_current_folder_cannot_be_written(tmp_path, monkeypatch, capsys):
    """The page then goes to a temporary folder, and the output says so."""
    folder, temporary = tmp_path / "gone", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()  # works for the superuser too, whom permissions do not stop
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    demo.run(None, legs=8)
    pages = list(temporary.glob("condyle-*/*"))
    assert [item.name for item in pages] == ["condyle_demo.html"]
    assert "cannot be written" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing/page.html", "there is no folder"),
        ("page.pdf", "must end in .html or .svg"),
        ("folder.html", "it is a folder"),
    ],
)
def test_output_that_cannot_be_written(tmp_path, name, reason, monkeypatch):
    """An error at once, before anything is computed; no file is left."""
    (tmp_path / "folder.html").mkdir()
    monkeypatch.setattr(measure, "swing", lambda model: pytest.fail("computed first"))
    with pytest.raises(InputError, match=reason):
        demo.run(tmp_path / name)
    assert [item.name for item in tmp_path.iterdir()] == ["folder.html"]


def test_interrupt_leaves_the_old_page(tmp_path, monkeypatch):
    """A run that is interrupted leaves the page of the run before, and nothing else."""
    (tmp_path / "page.html").write_text("old")

    def interrupted(model):
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "swing", interrupted)
    with pytest.raises(KeyboardInterrupt):
        demo.run(tmp_path / "page.html")
    assert [item.name for item in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "old"


@pytest.mark.skipif(os.name == "nt", reason="signals of consoles differ")
def test_control_c(tmp_path):
    """Ctrl-C ends the command with one line and no file."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "demo"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    lines = [process.stderr.readline(), process.stderr.readline()]  # from here on it works
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert lines[0] == "loading ...\n"
    assert (process.returncode, errors.splitlines()[-1]) == (130, "condyle: interrupted"), (out, errors)
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
