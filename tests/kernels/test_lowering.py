"""From CasADi's instructions to ours: merged, fused, selects, cut."""

from __future__ import annotations

import math
from collections import Counter

import casadi as ca
import mpmath
import numpy as np
import pytest

from condyle.kernels.instructions import lower
from condyle.kernels.program import Program, UnknownOperation
from condyle.kernels.split import split

from .graphs import by_rows, compiled, exact

x = ca.SX.sym("x")
y = ca.SX.sym("y")
z = ca.SX.sym("z")


def operations(*outputs: ca.SX) -> Counter[str]:
    """How often each operation occurs."""
    program = lower(ca.Function("f", [x, y, z], list(outputs)))
    return Counter(i.operation for i in program.code if i.operation not in ("input", "output", "const"))


def test_if_else_is_one_select() -> None:
    """CasADi's two if_else_zero become one select, also nested and with a shared condition."""
    assert operations(ca.if_else(x < y, ca.sin(x), z)) == {"lt": 1, "sin": 1, "select": 1}
    nested = ca.if_else(x < y, ca.if_else(y < z, x, z), ca.if_else(x < y, z, 7))
    assert operations(nested) == {"lt": 2, "select": 3}
    assert operations(ca.if_else(x < y, z, 0)) == {"lt": 1, "if_else_zero": 1}


def test_products_are_fused_where_they_disappear() -> None:
    """A product that only sums use is not computed by itself; one that is needed anyway stays."""
    assert operations(x * y + z) == {"fma": 1}
    assert operations(x * y - z) == {"fms": 1}
    assert operations(z - x * y) == {"fnma": 1}
    assert operations(x * y + y * z + z * x) == {"mul": 1, "fma": 2}
    assert operations(x * y + z, x * y - z) == {"fma": 1, "fms": 1}
    assert operations(x * y + z, x * y) == {"mul": 1, "add": 1}
    assert operations((x * y) + (x * y) * z) == {"mul": 1, "fma": 1}


def test_equal_instructions_are_one_and_unused_ones_none() -> None:
    """What CasADi evaluates twice is evaluated once; the operands' order does not matter."""
    first, second = x + y, y + x
    assert operations(ca.sin(first), ca.sin(second)) == {"add": 1, "sin": 1}
    inner = ca.Function("inner", [x], [ca.sin(x), ca.exp(x)])
    assert operations(inner(x)[0]) == {"sin": 1}


def test_sine_and_cosine_are_computed_together() -> None:
    """One sincos for both of one argument; a sine alone stays a sine."""
    assert operations(ca.sin(x) * ca.cos(x), ca.sin(y)) == {"sincos": 1, "part": 2, "mul": 1, "sin": 1}


def test_multiples_of_an_angle_take_one_sine() -> None:
    """Harmonics follow from the first by the addition theorems; angles that are no multiples stay."""
    series = sum((ca.cos(k * x) / k + ca.sin(k * x) * k for k in range(1, 9)), ca.SX(0))
    found = operations(series)
    assert found["sincos"] == 1 and not found["sin"] and not found["cos"]
    period = sum((ca.cos((2 * math.pi * k / 0.7) * x) for k in (2, 4, 6, 8)), ca.SX(0))
    assert operations(period)["sincos"] == 1
    assert operations(ca.sin(x) + ca.cos(1.5 * x) + ca.sin(x * y)) == {"sin": 2, "cos": 1, "mul": 2, "add": 2}
    assert operations(ca.sin(x) + ca.sin(200 * x))["sin"] == 2
    assert operations(ca.sin(x) + ca.sin(63 * x))["sin"] == 2  # more products than it saves
    assert operations(ca.sin(0.0 * y + 3.0 * x), ca.cos(3.0 * x))["sincos"] == 1


@pytest.mark.parametrize("width", [1, 4])
def test_multiples_of_an_angle_are_as_accurate(width: int) -> None:
    """Within k units of round-off of the cosine and sine of k x, for any x, to the last harmonic."""
    harmonics = [*range(1, 20), 31, 32, 33, 63, 64]
    values = [value for k in harmonics for value in (ca.cos(k * x), ca.sin(k * x))]
    function = ca.Function("f", [x], [ca.vertcat(*values)])
    assert "sincos" in {instruction.operation for instruction in lower(function).code}
    angles = np.concatenate([np.linspace(-7, 7, 997), [0.0, 1e-9, math.pi / 3, 1e4, 12345.678]])
    found = by_rows(function, compiled(function, width), [angles[:, None]])[0]
    for place, k in enumerate(harmonics):
        with mpmath.workdps(40):
            exact = [(mpmath.cos(k * mpmath.mpf(a)), mpmath.sin(k * mpmath.mpf(a))) for a in angles]
        wrong = np.abs(found[:, 2 * place : 2 * place + 2] - np.array(exact, dtype=float))
        assert (wrong.max(axis=1) <= 2.2e-16 * (2 + k)).all()


def test_signed_zeros_and_nan_are_constants_of_their_own() -> None:
    """Constants are told apart by their bits."""
    function = ca.Function("f", [x], [ca.if_else(x < 0, ca.SX(-0.0), ca.SX.nan()), x + ca.SX.nan(1)])
    constants = [i.payload for i in lower(function).code if i.operation == "const"]
    assert len(constants) == len(set(constants))


def test_unknown_operations_are_named() -> None:
    """What has no machine form is refused by name, for the caller to fall back."""
    with pytest.raises(UnknownOperation, match="f: "):
        lower(ca.Function("f", [x], [ca.erfinv(x)]))
    m = ca.MX.sym("m")
    with pytest.raises(UnknownOperation, match="not an SX function"):
        lower(ca.Function("f", [m], [m]))


def test_operations_count_what_is_called() -> None:
    """A call counts as the operations of its callee."""
    inner = ca.Function("inner", [x], [ca.sin(x) * 2], {"never_inline": True})
    once = ca.Function("once", [x], [inner(x)])
    twice = ca.Function("twice", [x], [inner(inner(x))])
    inner_count = lower(inner).operations
    assert inner_count == inner.n_instructions()
    assert lower(once).operations == 2 + inner_count
    assert lower(twice).operations == 2 + 2 * inner_count


def crossing(program: Program, size: int) -> None:
    """Check the slots of a split by running it on sets of names."""
    pieces, slots = split(program, size)
    assert [p.first for p in pieces[1:]] == [p.last for p in pieces[:-1]]
    assert (pieces[0].first, pieces[-1].last) == (0, len(program.code))
    memory: dict[int, int] = {}
    for piece in pieces:
        at_hand = set()
        for value, slot in piece.loads.items():
            assert memory[slot] == value
            at_hand.add(value)
        for k in range(piece.first, piece.last):
            for argument in program.code[k].arguments:
                free = program.code[argument].operation in ("const", "input")
                assert free or argument in at_hand
            at_hand.add(k)
            if k in piece.stores:
                assert piece.stores[k] < slots
                memory[piece.stores[k]] = k
    assert max(p.last - p.first for p in pieces) <= size + 2


@pytest.mark.parametrize("size", [5, 17, 60])
def test_values_survive_in_their_slots_until_last_used(size: int) -> None:
    """No slot is given to another value while a later piece still loads it; slots are reused."""
    program = lower(exact(3, 300))
    crossing(program, size)
    pieces, slots = split(program, size)
    assert slots < sum(len(p.stores) for p in pieces)
