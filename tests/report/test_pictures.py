"""Pictures of studies: complete, drawn from the result, and never half written."""

import re
from itertools import pairwise

import numpy as np
import pytest

from condyle import studies
from condyle.cli import main
from condyle.errors import InputError
from condyle.report import pictures, svg
from condyle.report.pictures.andrews import LINES
from condyle.studies import Claim, StudyResult, four_bar, registry
from condyle.studies.benchmark_problems import PROBLEMS

from .pages import assert_complete, svg_root

QUICK = (
    "ankle",
    "drivers",
    "euler-parameters",
    "five-bar",
    "four-bar",
    "lao",
    "reversal",
    "screw",
    "surface",
)  # others time for a minute
RATIOS = {
    "ellipsoid": ("ellipsoid_over_ball", "dense_twin_over_ellipsoid", "general_twin_over_ellipsoid"),
    "knee": ("custom_over_pin", "dense_twin_over_custom", "general_twin_over_custom"),
}


def timed(study: str) -> StudyResult:
    """A result of a study that measures times, with numbers of this test."""
    ratios = dict(zip(RATIOS[study], (1.25, 4.5, 0.75), strict=True))
    figures = {
        "acceleration_time_ratio": ratios,
        "acceleration_time_ratio_quartiles": {name: [0.9 * r, 1.1 * r] for name, r in ratios.items()},
        "simulation_time_ratio": ratios,
        "manifold_error": {"mobilizer": 0.0, "dense_twin": 2e-4, "general_twin": 5e-5},
        "operations": {"ball": 219, "ellipsoid": 254, "dense_twin": 658, "general_twin": 402},
        "figure_6": {"angle": np.radians(np.linspace(0.0, -119.0, 11))},
    }
    return StudyResult(study, figures, (Claim("<as fast> & exact", 12.1, float("nan"), False),))


def moved() -> StudyResult:
    """A result of the benchmark problems, without their simulations."""
    motion = {"time": np.linspace(0, 0.05, 40), "position": np.tile(np.linspace(-1, 1, 40)[:, None], 3)}
    known = {"error_m": 1e-9, "energy_drift_J": 1e-9, "time_s": 1e-3, "treatment": "tree"}
    figures = {key: dict(known) for key in PROBLEMS} | {"motion": dict.fromkeys(PROBLEMS, motion)}
    figures["A04"]["error_m"] = None
    return StudyResult("benchmarks", figures, (Claim("equal", "equal", 1e-9, True),))


def squeezed() -> StudyResult:
    """A result of the squeezer, without its simulations."""
    curve = {"rms_position": [1e-3, 1e-4], "time_s": [1e-3, 3e-3]}
    turn, time = np.linspace(-np.pi, np.pi, 50), np.linspace(0, 0.05, 50)
    figures = {
        "work_precision": dict.fromkeys(LINES, curve),
        "figure_17": {"q": turn, "angles": {f"th{k}": np.sin(turn) / k for k in range(2, 8)}},
        "figure_18": {"time": time, "angle": 700 * time, "speed": 1000 + 0 * time},
    }
    return StudyResult("andrews", figures, (Claim("time of DAE / Fourier", 4.0, 3.1, False),))


@pytest.fixture(scope="module")
def results():
    """Results by study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(four_bar, "AMPLITUDES", (1.5,))
        patch.setattr(four_bar, "STEPS", {"natural cubic": (0.01,), "quintic": (0.005,), "molecule": (1e-4,)})
        found = {name: studies.run(name) for name in QUICK} | {name: timed(name) for name in RATIOS}
    return found | {"benchmarks": moved(), "andrews": squeezed()}


def test_every_study_has_a_picture():
    """Studies and pictures correspond."""
    assert pictures.names() == sorted(registry.titles())


@pytest.mark.parametrize("name", [*QUICK, *RATIOS, "benchmarks", "andrews"])
def test_picture(results, name):
    """The picture is well formed, complete, has a heading, and stays within its frame."""
    text = pictures.render(results[name], ".svg")
    root = svg_root(text)
    assert len(text) < 400_000
    assert any(item.get("class") == "headline" for item in root.iter())
    width, height = float(root.get("width")), float(root.get("height"))
    for item in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(item.get("x")) <= width
        assert 0 <= float(item.get("y")) <= height


@pytest.mark.parametrize("name", [*QUICK, *RATIOS, "benchmarks", "andrews"])
def test_page(results, name):
    """The page holds the picture and every claim."""
    text = pictures.render(results[name], ".html")
    assert_complete(text)
    assert text.count("<tr>") == 1 + len(results[name].claims)
    svg_root(re.search(r"<svg.*</svg>", text, flags=re.DOTALL).group())


def test_claims_are_text():
    """What a claim says is shown as it is, never read as a tag."""
    text = pictures.render(timed("knee"), ".html")
    assert "&lt;as fast&gt; &amp; exact" in text


def test_lao_draws_every_alpha_carbon(results):
    """Both conformations have a piece of tube from each alpha carbon to the next of its chain."""
    shapes = results["lao"].figures["conformations"]
    runs = [np.diff(shapes[f"{lobe}_residues"]) for lobe in ("stationary", "mobile")]
    steps = sum(int((run == 1).sum()) for run in runs)
    root = svg_root(pictures.render(results["lao"], ".svg"))
    tubes = [item for item in root.iter() if item.get("stroke-width") == "6.6"]
    assert len(tubes) == 2 * steps > 400


def test_surface_arrows(results):
    """Each arrow starts on the path and runs along the reaction there, as the picture's view shows it."""
    figure = results["surface"].figures["figure_5"]
    root = svg_root(pictures.render(results["surface"], ".svg"))
    lines = [
        item for item in root.iter("{http://www.w3.org/2000/svg}line") if item.get("stroke-width") == "2.2"
    ]
    shafts = np.array([[float(item.get(name)) for name in ("x1", "y1", "x2", "y2")] for item in lines])
    chosen = np.linspace(0, len(figure["path"]) - 1, len(shafts)).astype(int)
    assert len(shafts) == 15
    # The view is affine: fitted to the starts, it must map the reactions' directions to the arrows'.
    known = np.column_stack([figure["path"][chosen], np.ones(15)])
    fitted, *_ = np.linalg.lstsq(known, shafts[:, :2], rcond=None)
    assert np.abs(known @ fitted - shafts[:, :2]).max() < 0.02
    seen, drawn = figure["reaction"][chosen] @ fitted[:3], shafts[:, 2:] - shafts[:, :2]
    across = seen[:, 0] * drawn[:, 1] - seen[:, 1] * drawn[:, 0]
    assert np.abs(across / np.linalg.norm(seen, axis=1)).max() < 0.05
    assert (np.sum(seen * drawn, axis=1) > 0).all()


def test_ratio_bars_have_their_lengths():
    """Lengths are the logarithms of the ratios."""
    root = svg_root(pictures.render(timed("ellipsoid"), ".svg"))
    bars = [
        float(item.get("width"))
        for item in root.iter("{http://www.w3.org/2000/svg}rect")
        if item.get("rx") == "1.5"
    ]
    unit = 380 / np.log(40)
    wanted = [unit * abs(np.log(ratio)) for ratio in (12.1, 4.5, 0.75, 10.3)]
    for length in wanted:
        assert min(abs(length - bar) for bar in bars) < 0.02


@pytest.fixture
def example(monkeypatch):
    """Let the knee study return at once, or be interrupted."""
    monkeypatch.setattr(studies, "run", lambda name, progress=None: timed("knee"))


@pytest.mark.parametrize("suffix", [".svg", ".html"])
def test_command(example, tmp_path, suffix, capsys):
    """`condyle study run NAME --picture FILE` writes the file and prints as ever."""
    file = tmp_path / f"knee{suffix}"
    assert main(["study", "run", "knee", "--picture", str(file)]) == 0
    assert "knee: claims" in capsys.readouterr().out
    assert_complete(file.read_text(encoding="utf-8"))
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("study", "name", "reason"),
    [
        ("knee", "missing/knee.svg", "there is no folder"),
        ("knee", "knee.png", "must end in .html or .svg"),
        ("kne", "knee.svg", "did you mean 'knee'"),
    ],
)
def test_command_that_cannot_draw(tmp_path, monkeypatch, capsys, study, name, reason):
    """The command says so before it runs the study, and leaves no file."""
    monkeypatch.setattr(studies, "run", lambda *_: pytest.fail("ran first"))
    assert main(["study", "run", study, "--picture", str(tmp_path / name)]) == 2
    assert reason in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_failed_study_leaves_the_old_picture(tmp_path, monkeypatch):
    """A study that fails changes no file."""

    def failing(name, progress=None):
        raise InputError("no")

    monkeypatch.setattr(studies, "run", failing)
    file = tmp_path / "knee.svg"
    file.write_text("old")
    assert main(["study", "run", "knee", "--picture", str(file)]) == 2
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_ankle_draws_figures_10_to_20(results):
    """Each has its heading; all curves of both joints, of every length, and six snapshots of each run."""
    root = svg_root(pictures.render(results["ankle"], ".svg"))
    texts = [item.text for item in root.iter("{http://www.w3.org/2000/svg}text")]
    for number in range(10, 21):
        assert any(text.startswith(f"Figure {number}") for text in texts), number
    curves = [item for item in root.iter() if item.get("class") == "fine"]
    assert len(curves) == 6 + 12 + 12 + 12 + 6 + 8  # figures 10, 12, 13, 14, 17, 20
    instants = [text for text in texts if text in {f"{t:.1f} s" for t in np.linspace(0, 1, 6)}]
    assert len(instants) == 6 * 2 * 3  # figures 11, 15, 16


def test_thinned_curves_stay_where_they_were():
    """Nothing of a curve is farther than the tolerance from what is drawn; its ends stay."""
    turn = np.linspace(0, 20, 1500)
    curve = np.column_stack([100 * np.cos(turn) + turn, 60 * np.sin(1.3 * turn)])
    drawn = svg.thinned(curve, 0.15)
    assert len(drawn) < 0.5 * len(curve)
    assert np.array_equal(drawn[[0, -1]], curve[[0, -1]])
    places = [int(np.flatnonzero((curve == point).all(axis=1))[0]) for point in drawn]
    for first, last in pairwise(places):
        along = curve[last] - curve[first]
        normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        assert np.abs((curve[first : last + 1] - curve[first]) @ normal).max() <= 0.15
