"""The loop over frames, compiled and as Python: warm starts, a status per frame, lanes."""

import casadi as ca
import numpy as np
import pytest

from condyle.kernels import build
from condyle.solve import follow_frames
from condyle.solve.frames_state import FramesState
from condyle.solve.loops import frames as loop
from condyle.solve.native import build as native
from condyle.status import Status


def circle_kernel():
    """x on the unit circle (must hold) at height target (times p): a cosine that may be out of reach."""

    def trace():
        x, target, scale, p = (
            ca.SX.sym(name, size) for name, size in (("x", 2), ("t", 1), ("s", 1), ("p", 1))
        )
        r = ca.vertcat(ca.dot(x, x) - 1, x[1] - p * target)
        J = ca.jacobian(r, x)
        step = ca.solve(J, -r)
        measures = ca.vertcat(
            ca.mmax(ca.fabs(step)), ca.sumsqr(r), ca.fabs(r[0]), ca.fabs(ca.det(J)) / (1 + ca.sumsqr(x))
        )
        return ca.Function("step", [x, target, scale, p], [x + scale * step, measures])

    return build(trace, None, "step")


HEIGHTS = np.sin(np.linspace(0.1, 1.2, 23))


def test_frames_continue_the_branch():
    """Each frame starts from the one before: the side of the circle is kept, and few steps are needed."""
    for side in (1.0, -1.0):
        found = follow_frames(
            circle_kernel(), np.array([[side, 0.1]]), HEIGHTS[None, :, None], np.ones((1, 1))
        )
        assert not found.status.any()
        expected = np.stack([side * np.sqrt(1 - HEIGHTS**2), HEIGHTS], axis=-1)
        assert found.x[0] == pytest.approx(expected, abs=1e-12)
        assert found.iterations.max() <= 6


def test_a_bad_frame_stops_no_other():
    """No data, and data out of reach: told by status; the frames after start from the last good one."""
    heights = HEIGHTS.copy()
    heights[5], heights[9] = np.nan, 3.0
    found = follow_frames(circle_kernel(), np.array([[1.0, 0.1]]), heights[None, :, None], np.ones((1, 1)))
    status = found.status[0].tolist()
    assert status[5] == Status.BAD_INPUT and status[9] in (Status.INFEASIBLE, Status.SINGULAR)
    assert not any(status[:5] + status[6:9] + status[10:])
    assert found.x[0, 10:, 1] == pytest.approx(HEIGHTS[10:], abs=1e-12)
    assert np.isfinite(found.x).all()
    heights[9] = np.nan  # not tried at all: what follows must be the same, to the last bit
    untried = follow_frames(circle_kernel(), np.array([[1.0, 0.1]]), heights[None, :, None], np.ones((1, 1)))
    assert (untried.x[0, 10:] == found.x[0, 10:]).all()
    assert (untried.iterations[0, 10:] == found.iterations[0, 10:]).all()


def test_starts_of_their_own_serve_until_one_succeeds():
    """The first frame starts where no step is defined; the second from its own start, later ones from it."""
    start = np.tile([1.0, 0.1], (1, len(HEIGHTS), 1))
    start[0, 0], start[0, 1] = (0.0, 0.5), (-1.0, 0.1)  # of x = 0 the circle knows no side
    found = follow_frames(circle_kernel(), start, HEIGHTS[None, :, None], np.ones((1, 1)))
    assert found.status[0, 0] == Status.SINGULAR and not found.status[0, 1:].any()
    assert (found.x[0, 1:, 0] < 0).all()  # not from (1, 0.1) of the third


@pytest.mark.parametrize("lanes", [1, 2, 4])
def test_members_do_not_see_each_other(lanes):
    """More members than lanes: each as if it were alone, bit for bit."""
    rng = np.random.default_rng(0)
    start = np.where(rng.random((7, 1)) < 0.5, -1.0, 1.0) * [[1.0, 0.0]]
    targets, scale = np.tile(HEIGHTS[None, :, None], (7, 1, 1)), rng.uniform(0.3, 1.0, (7, 1))
    targets[3, 4] = np.nan
    together = follow_frames(circle_kernel(), start, targets, scale, lanes=lanes)
    for k in range(7):
        alone = follow_frames(
            circle_kernel(), start[k : k + 1], targets[k : k + 1], scale[k : k + 1], lanes=1
        )
        assert (alone.x[0] == together.x[k]).all() and (alone.status[0] == together.status[k]).all()
        assert (alone.iterations[0] == together.iterations[k]).all()


def test_python_and_machine_code_agree(monkeypatch):
    """The loop's text, run as Python, gives what its compiled form gives."""
    targets = np.tile(HEIGHTS[None, :, None], (2, 1, 1))
    targets[1, 3] = 2.0
    arguments = circle_kernel(), np.array([[1.0, 0.0], [-1.0, 0.0]]), targets, np.ones((2, 1))
    compiled = follow_frames(*arguments, lanes=1)
    assert FramesState.__annotations__
    monkeypatch.setattr(native, "compiled", lambda entry: entry)
    with np.errstate(all="ignore"):
        plain = follow_frames(*arguments, lanes=1)
    assert loop.frames.__doc__ and (plain.x == compiled.x).all() and (plain.status == compiled.status).all()
