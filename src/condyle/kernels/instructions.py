"""From a casadi.Function (SX) to a short list of instructions that names no target.

The list is in single-assignment form: the value of instruction k is written once, and arguments are indices
of earlier instructions. On the way equal instructions are merged, conditionals become selects, and products
that feed sums become fused multiply-adds, so that every width, target and length of pieces does the same
arithmetic.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

from condyle.kernels.calls import callees
from condyle.kernels.fuse import drop_unused, fuse_products, pair_sines
from condyle.kernels.multiples import multiply_angles
from condyle.kernels.program import Instruction, Port, Program, UnknownOperation


@cache
def _table() -> dict[int, tuple[str, int]]:
    """CasADi operation code -> (our name, number of arguments)."""
    import casadi

    one = (
        "neg sqrt fabs floor ceil sign sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 "
        "log log1p erf not assign sq twice inv"
    )
    two = (
        "add sub mul div pow constpow fmin fmax fmod remainder hypot atan2 copysign lt le eq ne and or "
        "if_else_zero"
    )
    arity = {name: 1 for name in one.split()} | {name: 2 for name in two.split()}
    return {getattr(casadi, f"OP_{name.upper()}"): (name, count) for name, count in arity.items()}


def port(function: Any, index: int, output: bool) -> Port:
    """The array view of one CasADi input or output: (n, 1) is (n,), anything wider is (r, c) in C order."""
    sparsity = function.sparsity_out(index) if output else function.sparsity_in(index)
    name = function.name_out(index) if output else function.name_in(index)
    rows, columns = sparsity.size1(), sparsity.size2()
    if rows * columns == 0:
        return Port(name, (0,), ())
    shape = (rows,) if columns == 1 else (rows, columns)
    row, column = sparsity.get_triplet()
    return Port(name, shape, tuple(r * columns + c for r, c in zip(row, column, strict=True)))


class _Builder:
    """Collects instructions; equal ones (same operation, arguments, payload) share one value."""

    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self.known: dict[Any, int] = {}

    def append(self, operation: str, arguments: tuple[int, ...], payload: Any = None) -> int:
        """Add an instruction whether or not there is an equal one."""
        self.code.append(Instruction(operation, arguments, payload))
        return len(self.code) - 1

    def value(self, operation: str, arguments: tuple[int, ...], payload: Any = None) -> int:
        """The value of an operation, new or already there."""
        if operation in ("add", "mul", "eq", "ne", "and", "or") and arguments[0] > arguments[1]:
            arguments = (arguments[1], arguments[0])
        key = (operation, arguments, payload)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.append(operation, arguments, payload)
        return found

    def constant(self, number: float) -> int:
        """A constant, told apart by its bits: -0.0 is not 0.0 and NaN equals itself."""
        return self.value("const", (), struct.pack("<d", number))

    def call(self, program: Program, arguments: tuple[int, ...], count: int) -> range:
        """The results of a call, new or already there; they directly follow the call."""
        key = ("call", arguments, id(program))
        if key not in self.known:
            self.known[key] = made = self.append("call", arguments, program)
            for element in range(count):
                self.append("result", (made,), element)
        first = self.known[key] + 1
        return range(first, first + count)

    def add(self, left: int, right: int) -> int:
        """A sum. CasADi's if_else, which is if_else_zero(c, a) + if_else_zero(!c, b), becomes one select."""
        first, second = self.code[left], self.code[right]
        if first.operation == "if_else_zero" and second.operation == "if_else_zero":
            for yes, no in ((first, second), (second, first)):
                if self.code[no.arguments[0]] == ("not", (yes.arguments[0],), None):
                    return self.value("select", (yes.arguments[0], yes.arguments[1], no.arguments[1]))
        return self.value("add", (left, right))

    def operation(self, name: str, arguments: tuple[int, ...]) -> int:
        """One CasADi operation in terms of the operations that emitters know."""
        match name:
            case "add":
                return self.add(*arguments)
            case "assign":
                return arguments[0]
            case "sq":
                return self.value("mul", (arguments[0], arguments[0]))
            case "twice":
                return self.value("mul", (arguments[0], self.constant(2.0)))
            case "inv":
                return self.value("div", (self.constant(1.0), arguments[0]))
            case "constpow":
                return self.value("pow", arguments)
        return self.value(name, arguments)


def lower(function: Any) -> Program:
    """The program of an SX function; the functions it calls become programs inside its call instructions."""
    return _lower(function, {})


def _lower(function: Any, programs: dict[int, Program]) -> Program:
    if not function.is_a("SXFunction"):
        raise UnknownOperation(f"{function.name()} is not an SX function")
    import casadi

    known = _table()
    op_input, op_output, op_const, op_call = (
        casadi.OP_INPUT,
        casadi.OP_OUTPUT,
        casadi.OP_CONST,
        casadi.OP_CALL,
    )
    inputs = tuple(port(function, index, False) for index in range(function.n_in()))
    outputs = tuple(port(function, index, True) for index in range(function.n_out()))
    builder = _Builder()
    registers: dict[int, int] = {}
    count = function.n_instructions()
    operations = count
    called = None
    identify, read, write = function.instruction_id, function.instruction_input, function.instruction_output
    for k in range(count):
        code = identify(k)
        if code == op_const:
            registers[write(k)[0]] = builder.constant(function.instruction_constant(k))
        elif code == op_input:
            which, element = read(k)
            registers[write(k)[0]] = builder.value("input", (), (which, inputs[which].places[element]))
        elif code == op_output:
            which, element = write(k)
            builder.append("output", (registers[read(k)[0]],), (which, outputs[which].places[element]))
        elif code == op_call:
            called = callees(function) if called is None else called
            callee = called[k]
            if callee.__hash__() not in programs:
                programs[callee.__hash__()] = _lower(callee, programs)
            program = programs[callee.__hash__()]
            operations += program.operations - 1
            results = builder.call(program, tuple([registers[r] for r in read(k)]), len(write(k)))
            for result, register in zip(results, write(k), strict=True):
                registers[register] = result
        elif code in known:
            name, arity = known[code]
            arguments = tuple([registers[r] for r in read(k)[:arity]])
            registers[write(k)[0]] = builder.operation(name, arguments)
        else:
            raise UnknownOperation(f"{function.name()}: CasADi operation number {code}")
    # Structural zeros of a sparse output are written like any other element.
    for which, output in enumerate(outputs):
        for place in sorted(set(range(output.size)) - set(output.places)):
            builder.append("output", (builder.constant(0.0),), (which, place))
    code = drop_unused(multiply_angles(drop_unused(builder.code)))
    code = pair_sines(fuse_products(code))
    return Program(function.name(), inputs, outputs, tuple(code), operations)
