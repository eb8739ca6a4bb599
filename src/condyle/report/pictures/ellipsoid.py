"""Table 1: time ratios beside the paper's, operations, and distances from the manifold."""

from __future__ import annotations

from condyle.report import svg
from condyle.report.bars import bars
from condyle.report.ratios import errors, key, ratios, table_rows
from condyle.report.style import BLUE
from condyle.studies import StudyResult

WIDTH, HEIGHT = 980, 470
PAPER = {"acceleration": (0.98, 12.1), "simulation": (1.01, 10.3)}

FORMULATIONS = {
    "ball": "ball",
    "ellipsoid": "ellipsoid",
    "dense_twin": "3 constraints, one dense system",
    "general_twin": "3 constraints, general solver",
}
DISTANCES = {
    "mobilizer": "ellipsoid",
    "dense_twin": "3 constraints, one dense system, not projected",
    "general_twin": "3 constraints, projected to 1e-4",
}


def draw(result: StudyResult) -> str:
    """Bars of the table's two columns, then what explains them."""
    figures = result.figures

    def column(x: float, kind: str, title: str) -> str:
        same, faster = PAPER[kind]
        names = (
            ("ellipsoid_over_ball", "ellipsoid / ball", same),
            ("dense_twin_over_ellipsoid", "3 constraints, one dense system / ellipsoid", faster),
            ("general_twin_over_ellipsoid", "3 constraints, general solver / ellipsoid", faster),
        )
        return ratios(x, 104, 380, title, table_rows(figures, kind, names))

    operations = [(text, float(figures["operations"][name]), BLUE) for name, text in FORMULATIONS.items()]
    manifold = figures["manifold_error"]
    distances = {text: float(manifold[name]) for name, text in DISTANCES.items() if name in manifold}
    return svg.document(
        WIDTH,
        HEIGHT,
        svg.text(24, 34, "Table 1: a joint on an ellipsoid, as mobilizer and by constraints", "headline"),
        svg.text(24, 53, "ratios of computing time, logarithmic; 1 = as fast", "note"),
        key(360, 53),
        column(40, "acceleration", "Accelerations and reaction loads"),
        column(530, "simulation", "Simulation of 1 s, tolerance 1e-4"),
        bars(40, 314, 400, "Operations of the accelerations", operations),
        errors(530, 314, 400, "Largest distance from the manifold [m]", distances),
        title="Computing times of the ellipsoid joint beside the paper's",
    )
