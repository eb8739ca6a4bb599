"""Passes over an instruction list: drop what is unused, fuse products into sums.

Fusing here, and not by LLVM's `contract` flag, makes the choice the same for every lane width, target and
chunk size: results are equal bit for bit by construction.
"""

from __future__ import annotations

from condyle.kernels.program import Instruction


def drop_unused(code: list[Instruction]) -> list[Instruction]:
    """The same list without instructions that no output depends on."""
    used = [False] * len(code)
    for k in range(len(code) - 1, -1, -1):
        if used[k] or code[k].operation == "output":
            used[k] = True
            for argument in code[k].arguments:
                used[argument] = True
    return _renumber(code, used)


def _renumber(code: list[Instruction], keep: list[bool]) -> list[Instruction]:
    place = [0] * len(code)
    kept: list[Instruction] = []
    for k, instruction in enumerate(code):
        if keep[k]:
            place[k] = len(kept)
            operation, arguments, payload = instruction
            kept.append(Instruction(operation, tuple([place[a] for a in arguments]), payload))
    return kept


def fuse_products(code: list[Instruction]) -> list[Instruction]:
    """Replace sums of products by fma (a b + c), fms (a b - c) and fnma (c - a b).

    A product is fused when every use of it is a sum that no other product has taken, so that it disappears.
    """
    users: list[list[int]] = [[] for _ in code]
    for k, instruction in enumerate(code):
        for argument in instruction.arguments:
            users[argument].append(k)
    taken: dict[int, int] = {}
    fused = [False] * len(code)
    for k, instruction in enumerate(code):
        if instruction.operation != "mul" or not users[k]:
            continue
        if all(code[u].operation in ("add", "sub") and u not in taken for u in users[k]) and len(
            set(users[k])
        ) == len(users[k]):
            fused[k] = True
            for u in users[k]:
                taken[u] = k
    result = list(code)
    for k, product in taken.items():
        left, right = code[k].arguments
        factors = code[product].arguments
        if code[k].operation == "add":
            new = ("fma", (*factors, right if left == product else left))
        elif left == product:
            new = ("fms", (*factors, right))
        else:
            new = ("fnma", (*factors, left))
        result[k] = Instruction(*new)
    return _renumber(result, [not f for f in fused])


def pair_sines(code: list[Instruction]) -> list[Instruction]:
    """Replace sine and cosine of one value by the two parts of a sincos, at the place of the first."""
    found: dict[int, list[int]] = {}
    for k, instruction in enumerate(code):
        if instruction.operation in ("sin", "cos"):
            found.setdefault(instruction.arguments[0], []).append(k)
    result: list[Instruction] = []
    place: list[int] = []
    pairs: dict[int, int] = {}
    for operation, earlier, payload in code:
        arguments = tuple([place[a] for a in earlier])
        wanted = earlier[0] if operation in ("sin", "cos") else -1
        if len(found.get(wanted, ())) < 2:
            place.append(len(result))
            result.append(Instruction(operation, arguments, payload))
            continue
        if wanted not in pairs:
            pairs[wanted] = len(result)
            result.append(Instruction("sincos", arguments))
            result += [Instruction("part", (pairs[wanted],), number) for number in (0, 1)]
        place.append(pairs[wanted] + (1 if operation == "sin" else 2))
    return result
