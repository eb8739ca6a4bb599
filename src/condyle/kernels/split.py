"""Cutting a long program into pieces of bounded size, with scratch slots for the values that cross a cut.

LLVM's time per operation grows with the length of one basic block, so long programs become several functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from condyle.kernels.program import Instruction, Program

#: Instructions per piece. Longer: LLVM's time per operation grows. Shorter: the traffic through scratch does.
PIECE = 1500

#: What every piece makes again for itself instead of keeping it in a slot.
_ANEW = ("const", "input")


@dataclass(frozen=True)
class Piece:
    """Instructions first..last-1 of a program; `loads` and `stores` map values to scratch slots."""

    first: int
    last: int
    loads: dict[int, int]
    stores: dict[int, int]


def split(program: Program, size: int = PIECE) -> tuple[tuple[Piece, ...], int]:
    """The pieces of a program and the number of scratch slots they share."""
    code = program.code
    last_use = _last_uses(code)
    bounds = _cuts(code, last_use, size)
    piece_of = [0] * len(code)
    for number, (first, last) in enumerate(pairwise(bounds)):
        piece_of[first:last] = [number] * (last - first)
    slots: dict[int, int] = {}
    free: list[int] = []
    count = 0
    pieces: list[Piece] = []
    ending: dict[int, list[int]] = {}
    for number, (first, last) in enumerate(pairwise(bounds)):
        loads: dict[int, int] = {}
        stores: dict[int, int] = {}
        for k in range(first, last):
            for argument in code[k].arguments:
                if argument < first and code[argument].operation not in _ANEW:
                    loads[argument] = slots[argument]
            if last_use[k] >= last and code[k].operation not in _ANEW:
                if not free:
                    free.append(count)
                    count += 1
                slots[k] = stores[k] = free.pop()
                ending.setdefault(piece_of[last_use[k]], []).append(slots[k])
        pieces.append(Piece(first, last, loads, stores))
        free.extend(ending.pop(number, ()))
    return tuple(pieces), count


def _last_uses(code: tuple[Instruction, ...]) -> list[int]:
    """The last instruction that uses each value; the results of a call are used no earlier than made."""
    last_use = list(range(len(code)))
    for k, instruction in enumerate(code):
        for argument in instruction.arguments:
            last_use[argument] = k
    return last_use


def _cuts(code: tuple[Instruction, ...], last_use: list[int], size: int) -> list[int]:
    """Bounds of the pieces: of the places a piece may end at, the one that the fewest values cross."""
    if len(code) <= size:
        return [0, len(code)]
    crossing = [0] * (len(code) + 1)
    for k, instruction in enumerate(code):
        if instruction.operation not in _ANEW and last_use[k] > k:
            crossing[k + 1] += 1
            crossing[last_use[k] + 1] -= 1
    for k in range(len(code)):
        crossing[k + 1] += crossing[k]
    # What has several results stays together with them: they are not values that a slot can hold.
    allowed = [code[k].operation not in ("result", "part") for k in range(len(code))]
    bounds = [0]
    while len(code) - bounds[-1] > size:
        window = range(bounds[-1] + max(1, size * 2 // 3), bounds[-1] + size + 1)
        choices = [k for k in window if allowed[k]] or [
            next(k for k in range(window[-1], len(code)) if allowed[k])
        ]
        bounds.append(min(choices, key=lambda k: (crossing[k], -k)))
    return [*bounds, len(code)]
