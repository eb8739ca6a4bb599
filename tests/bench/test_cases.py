"""Every case of the benchmark, with sizes that take a moment: what is reported, never how fast."""

import json
import os
from importlib.util import find_spec

import numpy as np
import pytest

from condyle import bench
from condyle.bench.cases import CASES
from condyle.bench.peers.pinocchio import Pinocchio
from condyle.bench.runner import run
from condyle.bench.sizes import Sizes
from condyle.errors import InputError
from condyle.io import json_text

TINY = Sizes(
    rounds=1,
    process_rounds=1,
    batch=24,
    threads_batch=32,
    states=8,
    steps=40,
    members=3,
    chains=(2, 4),
    chain_rounds=1,
    four_bars=(1, 3),
    motions=1,
    memory_cache=os.environ.get("CONDYLE_CACHE", "off"),
)
KEYS = {"case", "unit", "condyle", "peers", "ratio", "target", "holds", "failed", "notes"}
PEER = {
    name: "mujoco" if name.startswith("rk4") else "pinocchio"
    for name in CASES
    if not name.startswith("compile")
}
needs_pinocchio = pytest.mark.skipif(find_spec("pinocchio") is None, reason="Pinocchio is not installed")


def row(name: str) -> dict:
    """The row of one tiny case, after a round trip through strict JSON."""
    found = json.loads(json_text(run([name], sizes=TINY)))
    assert set(found) == {"schema_version", "machine", "cases"}
    (case,) = found["cases"]
    assert set(case) >= KEYS
    assert case["case"] == name
    return case


@pytest.mark.parametrize("name", [n for n in CASES if n.startswith(("aba", "rnea", "crba", "rk4", "python"))])
def test_case_beside_a_peer(name):
    """A figure of our own, the peer's, their ratio, agreement of the outputs and quartiles."""
    found = row(name)
    assert found["failed"] is None, found["failed"]
    assert found["condyle"] > 0
    peer = PEER[name]
    if find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed")
    assert found["agreement"] < 1e-11
    assert list(found["peers"]) == list(found["ratio"]) == [peer]
    assert found["ratio"][peer] == pytest.approx(found["peers"][peer] / found["condyle"], rel=1e-12)
    assert found["holds"] in (True, False)
    assert set(found["quartiles"]) >= {"condyle", peer}


def test_cases_of_our_own():
    """Threads, compile times, chains and memory have the documented keys."""
    names = ["threads", "compile_cold", "compile_cached", "chain_scaling", "memory_mb"]
    found = {name: row(name) for name in names}
    assert [case["failed"] for case in found.values()] == [None] * len(names)
    assert set(found["threads"]["condyle"]) == {"one", "two", "ratio"}
    chain = found["chain_scaling"]["condyle"]
    assert set(chain) == {"n", "time_us", "compile_s", "exponent_time", "exponent_compile"}
    assert len(chain["n"]) == len(chain["time_us"]) == len(chain["compile_s"]) == 2
    assert found["compile_cached"]["condyle"] < found["compile_cold"]["condyle"]
    assert 20 < found["memory_mb"]["after_imports"] < found["memory_mb"]["condyle"] < 1000


def test_embedded_loops():
    """Lanes against one lane, and the growth with the number of loops; Newton's iterations are reported."""
    found = row("embedded_lanes")
    assert found["failed"] is None, found["failed"]
    assert found["agreement"] == 0
    assert found["ratio"]["one lane"] == pytest.approx(
        found["peers"]["one lane"] / found["condyle"], rel=1e-12
    )
    assert 1 <= found["mean_iterations"] <= found["worst_iterations"] <= 4
    found = row("n_four_bar_scaling")
    assert found["failed"] is None, found["failed"]
    assert set(found["condyle"]) == {"n", "time_us", "exponent"}
    assert found["condyle"]["n"] == [1, 3]
    assert found["operations"][1] < 3.5 * found["operations"][0]
    assert len(found["mean_iterations"]) == len(found["worst_iterations"]) == 2


def test_all_cases_are_tested():
    """Each is in a test above, or in a file of its own."""
    beside = {n for n in CASES if n.startswith(("aba", "rnea", "crba", "rk4", "python"))}
    of_its_own = {"threads", "compile_cold", "compile_cached", "chain_scaling", "memory_mb"}
    of_its_own |= {"embedded_lanes", "n_four_bar_scaling"}
    elsewhere = {n for n in CASES if n.startswith(("andrews", "ankle", "drivers")) or n.endswith("_26")}
    assert set(CASES) - beside - elsewhere == of_its_own


@needs_pinocchio
@pytest.mark.parametrize(
    ("name", "method"),
    [("aba_batch", "forward_dynamics"), ("rnea_loop", "inverse_dynamics"), ("crba_loop", "mass_matrix")],
)
def test_wrong_output_fails_the_case(name, method, monkeypatch):
    """An output that is off by 2e-9 of its largest entry is reported as a failure, without a time."""
    right = getattr(Pinocchio, method)

    def wrong(self, states):
        found = right(self, states)
        place = np.unravel_index(np.argmin(np.abs(found)), found.shape)
        found[place] += 2e-9 * np.abs(found).max()
        return found

    monkeypatch.setattr(Pinocchio, method, wrong)
    found = row(name)
    assert "differ by 2.0e-09" in found["failed"]
    assert found["condyle"] is None
    assert found["peers"] == found["ratio"] == {}


@pytest.mark.parametrize("name", ["aba_batch", "rnea_loop", "rk4_single", "python_call"])
def test_absent_peer_is_said(name, monkeypatch):
    """Condyle's own figure comes all the same; the ratio is missing and a note says why."""
    from condyle.bench import beside
    from condyle.bench.cases import python_call, rk4

    for module in (beside, python_call):
        monkeypatch.setattr(module, "pinocchio_peer", lambda: None)
    monkeypatch.setattr(rk4, "mujoco_peer", lambda: None)
    found = row(name)
    assert found["condyle"] > 0
    assert found["failed"] is None
    assert found["ratio"] == {}
    assert f"{PEER[name]} not installed" in found["notes"][0]
    assert found["holds"] is (None if name != "python_call" else found["condyle"] <= 15)


def test_unknown_cases_are_listed_with_what_is_near():
    """All of them at once."""
    with pytest.raises(InputError, match=r"did you mean 'aba_batch'.*did you mean 'threads'"):
        bench.run(["aba_bach", "thread"])


def test_progress_has_one_line_per_case():
    """A case that is asked for twice is measured once."""
    lines: list[str] = []
    run(["rnea_loop", "rnea_loop"], lines.append, TINY)
    assert len(lines) == 1
    assert lines[0].startswith("rnea_loop: ")
