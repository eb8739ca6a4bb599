"""LLVM text of single instructions for one lane width.

A value is `double` or `<W x double>`; the outcome of a comparison stays a bit (`i1`) and becomes 0.0 or 1.0
only where it is used as a number. No fast-math flag is set: products were fused by `fuse`, the rest is exact.
"""

from __future__ import annotations

import struct

from condyle.kernels import elementary, libm
from condyle.kernels.program import Program, UnknownOperation

_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
_LOGIC = {"not", "and", "or", *_COMPARE}
_INTRINSIC = {"sqrt": 1, "fabs": 1, "floor": 1, "ceil": 1, "copysign": 2}


def bits(number: float) -> str:
    """A double as LLVM writes it exactly."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


class Names:
    """Type names, constants and function names for one width, and the declarations they need."""

    def __init__(self, width: int, fused: bool) -> None:
        self.width = width
        self.fused = fused
        self.kind = f"<{width} x double>" if width > 1 else "double"
        self.bit = f"<{width} x i1>" if width > 1 else "i1"
        self.suffix = f"v{width}f64" if width > 1 else "f64"
        self.declarations: dict[str, str] = {}
        self.mathematics: set[str] = set()
        self.bodies: dict[int, str] = {}

    def constant(self, literal: str) -> str:
        """A number in every lane."""
        return literal if self.width == 1 else "<" + ", ".join([f"double {literal}"] * self.width) + ">"

    def bitwise(self, value: str) -> str:
        """A bit in every lane."""
        return value if self.width == 1 else "<" + ", ".join([f"i1 {value}"] * self.width) + ">"

    def intrinsic(self, name: str, arity: int) -> str:
        """An LLVM intrinsic on values, declared."""
        full = f"@llvm.{name}.{self.suffix}"
        self.declarations[full] = f"declare {self.kind} {full}({', '.join([self.kind] * arity)})"
        return full


class Text:
    """The lines of one function's block; remembers which values are at hand, and of which type."""

    def __init__(self, names: Names, program: Program) -> None:
        self.names = names
        self.program = program
        self.lines: list[str] = []
        self.number: dict[int, str] = {}
        self.boolean: dict[int, str] = {}
        self.fresh = 0

    def temporary(self) -> str:
        self.fresh += 1
        return f"%t{self.fresh}"

    def place(self, pointer: str, element: int) -> str:
        """A pointer to element number `element` (of W lanes)."""
        if element == 0:
            return pointer
        name = self.temporary()
        self.lines.append(f"  {name} = getelementptr double, ptr {pointer}, i64 {element * self.names.width}")
        return name

    def load(self, pointer: str, element: int, name: str) -> str:
        place = self.place(pointer, element)
        self.lines.append(f"  {name} = load {self.names.kind}, ptr {place}, align 8")
        return name

    def store(self, value: str, pointer: str, element: int) -> None:
        place = self.place(pointer, element)
        self.lines.append(f"  store {self.names.kind} {value}, ptr {place}, align 8")

    def as_number(self, k: int) -> str:
        """The value of instruction k as a double; constants and inputs are made where they are first used."""
        if k not in self.number:
            instruction = self.program.code[k]
            if instruction.operation == "const":
                literal = bits(struct.unpack("<d", instruction.payload)[0])
                self.number[k] = self.names.constant(literal)
            elif instruction.operation == "input":
                which, element = instruction.payload
                self.number[k] = self.load(f"%i{which}", element, f"%v{k}")
            else:
                names = self.names
                one, zero = names.constant(bits(1.0)), names.constant(bits(0.0))
                self.lines.append(
                    f"  %v{k} = select {names.bit} {self.boolean[k]}, {names.kind} {one}, {names.kind} {zero}"
                )
                self.number[k] = f"%v{k}"
        return self.number[k]

    def as_bit(self, k: int) -> str:
        """The value of instruction k as a condition: true where it is not zero (NaN is true, as in C)."""
        if k not in self.boolean:
            value, names = self.as_number(k), self.names
            self.lines.append(f"  %b{k} = fcmp une {names.kind} {value}, {names.constant(bits(0.0))}")
            self.boolean[k] = f"%b{k}"
        return self.boolean[k]

    def instruction(self, k: int) -> None:
        """Emit instruction k."""
        operation, arguments, payload = self.program.code[k]
        names, kind = self.names, self.names.kind
        if operation in ("const", "input"):
            return
        if operation == "output":
            self.store(self.as_number(arguments[0]), f"%o{payload[0]}", payload[1])
        elif operation == "call":
            self.call(k, payload, [self.as_number(a) for a in arguments])
        elif operation == "result":
            callee: Program = self.program.code[arguments[0]].payload
            self.number[k] = self.load("%results", flat_places(callee.outputs)[payload], f"%v{k}")
        elif operation == "sincos":
            self.names.mathematics.add(operation)
            value = self.as_number(arguments[0])
            out = f"{{ {kind}, {kind} }}"
            self.lines.append(f"  %v{k} = call {out} @condyle_sincos_{names.width}({kind} {value})")
        elif operation == "part":
            self.lines.append(f"  %v{k} = extractvalue {{ {kind}, {kind} }} %v{arguments[0]}, {payload}")
            self.number[k] = f"%v{k}"
        elif operation in _LOGIC:
            self.boolean[k] = f"%b{k}"
            if operation in _COMPARE:
                left, right = (self.as_number(a) for a in arguments)
                self.lines.append(f"  %b{k} = fcmp {_COMPARE[operation]} {kind} {left}, {right}")
            elif operation == "not":
                value = self.as_bit(arguments[0])
                self.lines.append(f"  %b{k} = xor {names.bit} {value}, {names.bitwise('true')}")
            else:
                left, right = (self.as_bit(a) for a in arguments)
                self.lines.append(f"  %b{k} = {operation} {names.bit} {left}, {right}")
        elif operation in ("select", "if_else_zero"):
            condition = self.as_bit(arguments[0])
            yes = self.as_number(arguments[1])
            no = self.as_number(arguments[2]) if operation == "select" else names.constant(bits(0.0))
            self.lines.append(f"  %v{k} = select {names.bit} {condition}, {kind} {yes}, {kind} {no}")
            self.number[k] = f"%v{k}"
        else:
            self.arithmetic(k, operation, [self.as_number(a) for a in arguments])
            self.number[k] = f"%v{k}"

    def arithmetic(self, k: int, operation: str, values: list[str]) -> None:
        """Emit an operation on numbers."""
        names, kind, out = self.names, self.names.kind, self.lines
        typed = ", ".join(f"{kind} {value}" for value in values)
        if operation in _BINARY:
            out.append(f"  %v{k} = {_BINARY[operation]} {kind} {values[0]}, {values[1]}")
        elif operation == "neg":
            out.append(f"  %v{k} = fneg {kind} {values[0]}")
        elif operation in ("fma", "fms", "fnma"):
            self.multiply_add(k, operation, values)
        elif operation in _INTRINSIC:
            function = names.intrinsic(operation, _INTRINSIC[operation])
            out.append(f"  %v{k} = call {kind} {function}({typed})")
        elif operation in ("fmin", "fmax"):
            # C: where one argument is NaN the other is the result.
            order = "olt" if operation == "fmin" else "ogt"
            out.append(f"  %p{k} = fcmp {order} {kind} {values[0]}, {values[1]}")
            out.append(f"  %q{k} = select {names.bit} %p{k}, {typed}")
            out.append(f"  %r{k} = fcmp uno {kind} {values[1]}, {values[1]}")
            out.append(f"  %v{k} = select {names.bit} %r{k}, {kind} {values[0]}, {kind} %q{k}")
        elif operation == "sign":
            zero = names.constant(bits(0.0))
            out.append(f"  %p{k} = fcmp olt {typed}, {zero}")
            out.append(f"  %q{k} = fcmp ogt {typed}, {zero}")
            one, minus = names.constant(bits(1.0)), names.constant(bits(-1.0))
            out.append(f"  %r{k} = select {names.bit} %p{k}, {kind} {minus}, {typed}")
            out.append(f"  %v{k} = select {names.bit} %q{k}, {kind} {one}, {kind} %r{k}")
        elif operation in elementary.NAMES or operation in libm.ARITY:
            names.mathematics.add(operation)
            out.append(f"  %v{k} = call {kind} @condyle_{operation}_{names.width}({typed})")
        else:
            raise UnknownOperation(f"{self.program.name}: {operation}")

    def multiply_add(self, k: int, operation: str, values: list[str]) -> None:
        """a b + c, a b - c or c - a b, rounded once where the machine can, else twice in every width."""
        kind, out = self.names.kind, self.lines
        left, right, term = values
        if not self.names.fused:
            out.append(f"  %p{k} = fmul {kind} {left}, {right}")
            order = {
                "fma": ("fadd", f"%p{k}", term),
                "fms": ("fsub", f"%p{k}", term),
                "fnma": ("fsub", term, f"%p{k}"),
            }
            verb, first, second = order[operation]
            out.append(f"  %v{k} = {verb} {kind} {first}, {second}")
            return
        if operation == "fms":
            out.append(f"  %p{k} = fneg {kind} {term}")
            term = f"%p{k}"
        elif operation == "fnma":
            out.append(f"  %p{k} = fneg {kind} {left}")
            left = f"%p{k}"
        function = self.names.intrinsic("fma", 3)
        out.append(f"  %v{k} = call {kind} {function}({kind} {left}, {kind} {right}, {kind} {term})")

    def call(self, k: int, callee: Program, values: list[str]) -> None:
        """Store the arguments and call the callee's body; the instructions that follow load its results."""
        for value, place in zip(values, flat_places(callee.inputs), strict=True):
            self.store(value, "%arguments", place)
        pointers = []
        for base, ports in (("%arguments", callee.inputs), ("%results", callee.outputs)):
            offset = 0
            for port in ports:
                pointers.append(f"ptr {self.place(base, offset)}")
                offset += port.size
        self.lines.append(f"  call void @{self.names.bodies[id(callee)]}({', '.join(pointers)})")


def flat_places(ports: tuple) -> list[int]:
    """The element of a contiguous buffer for each nonzero of each port, as a call instruction orders them."""
    places, offset = [], 0
    for port in ports:
        places += [offset + place for place in port.places]
        offset += port.size
    return places
