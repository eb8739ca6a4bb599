"""LLVM text of a program for one lane width: the body, as one function or as pieces, and what it calls."""

from __future__ import annotations

from collections.abc import Iterator

from condyle.kernels.program import Instruction, Program
from condyle.kernels.split import PIECE, Piece, split
from condyle.kernels.text import Names, Text


def programs(program: Program) -> list[Program]:
    """The program and all that it calls, callees first, each once."""
    found: dict[int, Program] = {}

    def visit(one: Program) -> None:
        for instruction in one.code:
            if instruction.operation == "call" and id(instruction.payload) not in found:
                visit(instruction.payload)
        found[id(one)] = one

    visit(program)
    return list(found.values())


def parameters(program: Program) -> tuple[str, str]:
    """Parameter list of a body's definition, and argument list of a call that passes the same on."""
    given = [f"ptr %i{k}" for k in range(len(program.inputs))]
    made = [f"ptr %o{k}" for k in range(len(program.outputs))]
    typed = [p.replace("ptr", "ptr noalias readonly") for p in given] + [
        p.replace("ptr", "ptr noalias") for p in made
    ]
    return ", ".join(typed), ", ".join(given + made)


def body(names: Names, program: Program, name: str, size: int = PIECE) -> Iterator[str]:
    """Definitions of the function `name`(inputs..., outputs...) on arrays of lanes, and of its pieces."""
    pieces, slots = split(program, size)
    typed, passed = parameters(program)
    names.bodies[id(program)] = name
    if len(pieces) == 1:
        yield _piece(names, program, pieces[0], f"define internal void @{name}({typed}) #0")
        return
    for number, piece in enumerate(pieces):
        yield _piece(
            names, program, piece, f"define internal void @{name}.{number}({typed}, ptr noalias %scratch) #0"
        )
    yield f"define internal void @{name}({typed}) #0 {{"
    yield f"  %scratch = alloca [{max(1, slots)} x {names.kind}], align 64"
    for number in range(len(pieces)):
        yield f"  call void @{name}.{number}({passed}, ptr %scratch)"
    yield "  ret void\n}"


def _piece(names: Names, program: Program, piece: Piece, head: str) -> str:
    text = Text(names, program)
    code: tuple[Instruction, ...] = program.code
    calls = [i.payload for i in code[piece.first : piece.last] if i.operation == "call"]
    if calls:
        for label, kind in (("arguments", "inputs"), ("results", "outputs")):
            most = max(sum(port.size for port in getattr(callee, kind)) for callee in calls)
            text.lines.append(f"  %{label} = alloca [{max(1, most)} x {names.kind}], align 64")
    for k in range(piece.first, piece.last):
        for argument in code[k].arguments:
            if argument in piece.loads and argument not in text.number:
                text.number[argument] = text.load("%scratch", piece.loads[argument], f"%v{argument}")
        text.instruction(k)
        if k in piece.stores:
            text.store(text.as_number(k), "%scratch", piece.stores[k])
    return "\n".join([head + " {", *text.lines, "  ret void\n}"])
