"""A kernel as callers see it: shapes, batches, broadcasting, out, errors, addresses, pickles, the cache."""

from __future__ import annotations

import ctypes
import pickle
import threading
from pathlib import Path

import casadi as ca
import numpy as np
import pytest

from condyle.errors import InputError
from condyle.kernels import Kernel, build, cache

from .graphs import exact, same_bits, smooth


def product() -> ca.Function:
    """Inputs of every kind of shape; module-level, so that it pickles."""
    m, v, s, none = ca.SX.sym("m", 2, 3), ca.SX.sym("v", 3), ca.SX.sym("s"), ca.SX.sym("none", 0)
    upper = ca.SX(2, 2)
    upper[0, 1] = s
    names = ["m", "v", "s", "none"], ["mv", "upper", "norm", "nothing"]
    return ca.Function("product", [m, v, s, none], [m @ v, upper, ca.norm_2(v), ca.SX(0, 1)], *names)


def expected(m: np.ndarray, v: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same with NumPy."""
    m, v, s = (np.asarray(array, dtype=float) for array in (m, v, s))
    batch = np.broadcast_shapes(m.shape[:-2], v.shape[:-1], s.shape[:-1])
    upper = np.zeros((*batch, 2, 2))
    upper[..., 0, 1] = s[..., 0]
    mv = np.broadcast_to((m @ v[..., None])[..., 0], (*batch, 2))
    return mv, upper, np.broadcast_to(np.linalg.norm(v, axis=-1, keepdims=True), (*batch, 1))


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return build(product, None, "product")


def check(kernel: Kernel, m: np.ndarray, v: np.ndarray, s: np.ndarray, **options: int) -> None:
    """Call and compare."""
    found = kernel(m, v, s, None, **options)
    for one, other in zip(found, expected(m, v, s), strict=False):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-14, atol=1e-15)  # sums of three products
    assert found[3].shape == (*found[0].shape[:-1], 0)


def test_names_shapes_and_size(kernel: Kernel) -> None:
    """What a kernel says of itself; (n, 1) of CasADi is (n,), wider is (r, c)."""
    assert kernel.inputs == (("m", (2, 3)), ("v", (3,)), ("s", (1,)), ("none", (0,)))
    assert kernel.outputs == (("mv", (2,)), ("upper", (2, 2)), ("norm", (1,)), ("nothing", (0,)))
    assert kernel.operations == kernel.function.n_instructions()
    assert repr(kernel).startswith("Kernel(product: (m(2, 3), v(3,)")


@pytest.mark.parametrize(
    "batches",
    [
        ((), (), ()),
        ((1,), (1,), (1,)),
        ((5,), (5,), (5,)),
        ((8,), (8,), (8,)),
        ((21,), (), (21,)),
        ((), (21,), (1,)),
        ((4, 6), (6,), (4, 1)),
        ((3, 1, 7), (2, 7), ()),
        ((0,), (0,), ()),
    ],
)
def test_leading_axes_broadcast(kernel: Kernel, batches: tuple[tuple[int, ...], ...]) -> None:
    """Batches of every size against NumPy: below, at and beyond the number of lanes, and empty."""
    rng = np.random.default_rng(1)
    m, v, s = (rng.standard_normal(b + e) for b, e in zip(batches, ((2, 3), (3,), (1,)), strict=True))
    check(kernel, m, v, s)


def test_arrays_in_any_layout(kernel: Kernel) -> None:
    """Views, Fortran order, reversed, misaligned, other byte order, integers, lists: the same result."""
    rng = np.random.default_rng(2)
    m, v, s = rng.standard_normal((19, 2, 3)), rng.standard_normal((19, 3)), rng.standard_normal((19, 1))
    wide = rng.standard_normal((19, 9))
    check(kernel, m, wide[:, 2:5], s)
    check(kernel, np.asfortranarray(m), v[::-1], s)
    check(kernel, m[:, :, ::-1], np.broadcast_to(v[:1], (19, 3)), s[::1])
    raw = np.zeros(19 * 24 + 1, np.uint8)
    odd = raw[1:].view(np.float64).reshape(19, 3)
    odd[...] = v
    check(kernel, m.astype(">f8"), odd, s)
    check(kernel, m, np.arange(57).reshape(19, 3), np.ones((19, 1), bool))
    check(kernel, m, np.float32([1, 2, 3]), s)
    lists = kernel(m.tolist(), v.tolist(), s.tolist(), [])
    np.testing.assert_array_equal(lists[0], kernel(m, v, s, None)[0])


def test_results_are_new_arrays(kernel: Kernel) -> None:
    """A later call does not change an earlier result."""
    m, v, s = np.ones((2, 3)), np.ones(3), np.ones(1)
    first = kernel(m, v, s, None)[0]
    kept = first.copy()
    kernel(2 * m, v, s, None)
    np.testing.assert_array_equal(first, kept)


def test_out() -> None:
    """Results go into the caller's arrays, even when these are the inputs."""
    x = ca.SX.sym("x", 3)
    kernel = build(lambda: ca.Function("f", [x], [ca.vertcat(x[1], x[2], x[0] + x[1])]), None, "turn")
    for batch in ((), (5,), (40,)):
        x0 = np.random.default_rng(0).standard_normal((*batch, 3))
        wanted = kernel(x0)
        out = np.empty_like(x0)
        assert kernel(x0, out=out) is out
        np.testing.assert_array_equal(out, wanted)
        assert kernel(x0, out=x0) is x0
        np.testing.assert_array_equal(x0, wanted)
    for bad, message in (
        (np.empty(4), r"float64\(4,\); allowed: float64\(3,\)"),
        (np.empty(3, np.float32), "float32"),
        (np.empty(6)[::2], "C order"),
        ([np.empty(3)] * 2, "2 arrays; allowed: 1"),
        ([[0.0] * 3], "list"),
    ):
        with pytest.raises(InputError, match=message):
            kernel(np.zeros(3), out=bad)


def test_large_results_are_written_past_the_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamed or not, the same result, aligned or not, also into the caller's arrays."""
    for size in (36, 37, 64):
        x = ca.SX.sym("x", 3)
        wide = ca.vertcat(*[x[k % 3] * k for k in range(size)])
        kernel = build(lambda wide=wide, x=x: ca.Function("wide", [x], [wide, 2 * x]), None, "wide")
        x0 = np.random.default_rng(0).standard_normal((29, 3))
        monkeypatch.setattr("condyle.kernels.arrays.STREAM_BYTES", 10**9)
        wanted = kernel(x0)
        monkeypatch.setattr("condyle.kernels.arrays.STREAM_BYTES", 0)
        for out in (None, tuple(np.empty_like(w) for w in wanted)):
            for threads in (1, 2):
                for one, other in zip(kernel(x0, out=out, threads=threads), wanted, strict=True):
                    np.testing.assert_array_equal(one, other)


def test_wrong_arguments_are_named_all_at_once(kernel: Kernel) -> None:
    """Messages give the argument, what was found, and what is allowed."""
    m, v, s = np.ones((2, 3)), np.ones(3), np.ones(1)
    with pytest.raises(InputError, match=r"m: shape \(3, 2\); allowed: \(\.\.\., 2, 3\); v: shape \(4,\)"):
        kernel(m.T, np.ones(4), s, None)
    for value, kind in ((1j, "complex"), ("a", "U1"), (None, "None"), ([object()], "object")):
        with pytest.raises(InputError, match=f"s: .*{kind}"):
            kernel(m, v, value, None)
    with pytest.raises(InputError, match=r"s: shape \(\)"):
        kernel(m, v, 1.0, None)
    with pytest.raises(InputError, match=r"not an array"):
        kernel(m, [[1.0], [1.0, 2.0]], s, None)
    with pytest.raises(InputError, match=r"3 arguments; allowed: 4: m\(\.\.\., 2, 3\)"):
        kernel(m, v, s)
    with pytest.raises(InputError, match=r"do not broadcast: m\(4, 2, 3\), v\(5, 3\)"):
        kernel(np.ones((4, 2, 3)), np.ones((5, 3)), s, None)
    with pytest.raises(InputError, match="threads is 0"):
        kernel(m, v, s, None, threads=0)
    with pytest.raises(InputError, match="3 lanes"):
        kernel.address(3)


def test_rows_of_a_batch_equal_single_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit for bit, wherever in the batch a row stands, NaN and infinity included, on one thread or two."""
    monkeypatch.setattr("condyle.kernels.batch.THREAD_SECONDS", 0.0)
    kernel = build(lambda: smooth(11), None, "smooth")
    x = np.random.default_rng(3).standard_normal((700, 5))
    x[3, 2], x[9, 0], x[690, 4] = np.nan, np.inf, -np.inf
    batch = kernel(x)
    assert same_bits(batch, np.array([kernel(row) for row in x]))
    assert same_bits(batch[5:18], kernel(x[5:18]))
    assert same_bits(batch, kernel(x, threads=2))
    assert np.isnan(batch).any()
    assert np.isfinite(batch).any()


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_address(width: int) -> None:
    """Compiled loops call `void f(void** args, int64 blocks)` on [block][element][lane], null for nothing."""
    x, none, y = ca.SX.sym("x", 2), ca.SX.sym("none", 0), ca.SX.sym("y")
    kernel = build(lambda: ca.Function("f", [x, none, y], [x * y, ca.sum1(x)]), None, "f")
    blocks = 3
    a = np.arange(blocks * 2.0 * width).reshape(blocks, 2, width)
    b = np.arange(blocks * 1.0 * width).reshape(blocks, 1, width)
    first, second = np.zeros((blocks, 2, width)), np.zeros((blocks, 1, width))
    pointers = (ctypes.c_void_p * 5)(
        a.ctypes.data, None, b.ctypes.data, first.ctypes.data, second.ctypes.data
    )
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(kernel.address(width))
    function(ctypes.addressof(pointers), blocks)
    np.testing.assert_array_equal(first, a * b)
    np.testing.assert_array_equal(second, a.sum(axis=1, keepdims=True))
    function(ctypes.addressof(pointers), 0)


def test_pickles_as_a_description(kernel: Kernel) -> None:
    """With its trace by name where that is possible, else with the graph itself."""
    m, v, s = np.ones((2, 3)), np.ones(3), np.ones(1)
    assert len(pickle.dumps(kernel)) < 300
    graph = exact(1)
    for original, arguments in (
        (kernel, (m, v, s, None)),
        (build(lambda: graph, None, "graph"), (np.ones(4), np.eye(2))),
    ):
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(original))))
        assert again.name == original.name
        for one, other in zip(again(*arguments), original(*arguments), strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_stored_kernel_is_not_traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key, the second process neither traces nor compiles; another key does."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("CONDYLE_CACHE", str(tmp_path))
    monkeypatch.setenv("CONDYLE_BACKEND", "llvm")
    traced = []

    def trace() -> ca.Function:
        traced.append(1)
        return exact(4)

    first = build(trace, b"one", "stored")
    first.address(1)
    x = np.arange(40.0).reshape(10, 4), np.ones((2, 2))
    wanted = first(*x)
    assert len(traced) == 1
    monkeypatch.setattr("condyle.kernels.source._LOADED", {})
    second = build(trace, b"one", "stored")
    assert second.inputs == first.inputs
    assert second.outputs == first.outputs
    assert second.operations == first.operations
    for one, other in zip(second(*x), wanted, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(traced) == 1
    stored = {record.metadata.get("ir_digest") for record in cache.entries() if record.kind == "object"}
    assert stored == {second.ir_digest(1), second.ir_digest(second.lanes)}
    build(trace, b"two", "stored")
    assert len(traced) == 3
    assert second.function.name() == first.function.name()


def test_threads_may_build_and_call_at_once() -> None:
    """Tracing, compiling and calling from several threads."""
    results: list[np.ndarray] = []

    def work(seed: int) -> None:
        kernel = build(lambda: smooth(seed % 2), None, f"smooth {seed}")
        for _ in range(50):
            single = kernel(np.ones(5) * seed)
        results.append(single)
        shared_results.append(shared(np.ones(5)))

    shared_results: list[np.ndarray] = []
    shared = build(lambda: smooth(5), None, "shared")
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(same_bits(a, shared_results[0]) for a in shared_results)
