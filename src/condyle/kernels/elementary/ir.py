"""A small writer of LLVM text: Python operators on lane values append instructions.

Nothing here sets a fast-math flag and nothing is contracted silently: an error-free step stays what is
written, so a lane's result does not depend on the number of lanes.
"""

from __future__ import annotations

import struct

REAL, INTEGER, BOOLEAN = "double", "i64", "i1"
_MASK = (1 << 64) - 1


class Writer:
    """Collects the instructions of one function body for `width` lanes (1: a scalar, not a vector of one)."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []

    def type(self, kind: str) -> str:
        """The LLVM type of a lane value of this kind."""
        return kind if self.width == 1 else f"<{self.width} x {kind}>"

    def suffix(self, kind: str) -> str:
        """The mangled type at the end of an intrinsic's name."""
        scalar = {REAL: "f64", INTEGER: "i64", BOOLEAN: "i1"}[kind]
        return scalar if self.width == 1 else f"v{self.width}{scalar}"

    def argument(self, name: str) -> Value:
        """A parameter of the function, by name."""
        return Value(self, f"%{name}", REAL)

    def line(self, instruction: str) -> str:
        """Append an instruction that has a result; return the result's name."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def constant(self, value: float | int, kind: str) -> str:
        """The same number in every lane, as LLVM writes it."""
        if kind == REAL:
            text = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        else:
            bits = int(value) & _MASK
            text = str(bits - (1 << 64) if bits >> 63 else bits)
        return text if self.width == 1 else f"splat ({kind} {text})"


class Value:
    """Lanes of doubles, 64-bit integers or booleans; arithmetic and bit operators append to the writer."""

    __slots__ = ("kind", "text", "writer")

    def __init__(self, writer: Writer, text: str, kind: str) -> None:
        self.writer, self.text, self.kind = writer, text, kind

    def _text(self, other: Value | float | int) -> str:
        return other.text if isinstance(other, Value) else self.writer.constant(other, self.kind)

    def _two(self, operation: str, left: str, right: str) -> Value:
        text = self.writer.line(f"{operation} {self.writer.type(self.kind)} {left}, {right}")
        return Value(self.writer, text, self.kind)

    def _either(self, real: str, integer: str, other: Value | float | int, swap: bool = False) -> Value:
        operation = real if self.kind == REAL else integer
        left, right = self.text, self._text(other)
        return self._two(operation, right, left) if swap else self._two(operation, left, right)

    def __add__(self, other: Value | float) -> Value:
        return self._either("fadd", "add", other)

    def __radd__(self, other: float) -> Value:
        return self._either("fadd", "add", other, swap=True)

    def __sub__(self, other: Value | float) -> Value:
        return self._either("fsub", "sub", other)

    def __rsub__(self, other: float) -> Value:
        return self._either("fsub", "sub", other, swap=True)

    def __mul__(self, other: Value | float) -> Value:
        return self._two("fmul", self.text, self._text(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Value | float) -> Value:
        return self._two("fdiv", self.text, self._text(other))

    def __rtruediv__(self, other: float) -> Value:
        return self._two("fdiv", self._text(other), self.text)

    def __neg__(self) -> Value:
        return Value(self.writer, self.writer.line(f"fneg {self.writer.type(REAL)} {self.text}"), REAL)

    def __and__(self, other: Value | int) -> Value:
        return self._two("and", self.text, self._text(other))

    def __or__(self, other: Value | int) -> Value:
        return self._two("or", self.text, self._text(other))

    def __xor__(self, other: Value | int) -> Value:
        return self._two("xor", self.text, self._text(other))

    def __invert__(self) -> Value:
        return self ^ -1 if self.kind == INTEGER else self ^ 1

    def __lshift__(self, count: int) -> Value:
        return self._two("shl", self.text, self._text(count))

    def __rshift__(self, count: int) -> Value:
        """Logical: zeros come in from the left (AVX2 has no arithmetic shift of 64-bit lanes)."""
        return self._two("lshr", self.text, self._text(count))

    def compare(self, predicate: str, other: Value | float | int) -> Value:
        """Boolean lanes; `predicate` is LLVM's (oeq, olt, ugt, ... for doubles; eq, slt, ... for bits)."""
        operation = "fcmp" if self.kind == REAL else "icmp"
        text = f"{operation} {predicate} {self.writer.type(self.kind)} {self.text}, {self._text(other)}"
        return Value(self.writer, self.writer.line(text), BOOLEAN)

    def bits(self) -> Value:
        """The same 64 bits as an integer."""
        return self._cast("bitcast", INTEGER)

    def real(self) -> Value:
        """The same 64 bits as a double."""
        return self._cast("bitcast", REAL)

    def _cast(self, operation: str, kind: str) -> Value:
        writer = self.writer
        text = f"{operation} {writer.type(self.kind)} {self.text} to {writer.type(kind)}"
        return Value(writer, writer.line(text), kind)


def constant(number: float, like: Value) -> Value:
    """The number in every lane, for the function that `like` belongs to."""
    return Value(like.writer, like.writer.constant(number, REAL), REAL)


def intrinsic(name: str, *arguments: Value | float) -> Value:
    """Call `llvm.<name>` on doubles; recent LLVM declares its intrinsics itself."""
    writer = next(item.writer for item in arguments if isinstance(item, Value))
    lanes = writer.type(REAL)
    texts = [item.text if isinstance(item, Value) else writer.constant(item, REAL) for item in arguments]
    call = (
        f"call {lanes} @llvm.{name}.{writer.suffix(REAL)}({', '.join(f'{lanes} {text}' for text in texts)})"
    )
    return Value(writer, writer.line(call), REAL)


def fma(left: Value | float, right: Value | float, addend: Value | float) -> Value:
    """The product plus the addend, rounded once."""
    return intrinsic("fma", left, right, addend)


def absolute(value: Value) -> Value:
    """Sign bit cleared, of NaN too."""
    return intrinsic("fabs", value)


def square_root(value: Value) -> Value:
    """Correctly rounded; NaN below zero."""
    return intrinsic("sqrt", value)


def copysign(magnitude: Value | float, sign: Value) -> Value:
    """The magnitude with the sign bit of `sign`."""
    return intrinsic("copysign", magnitude, sign)


def select(condition: Value, yes: Value | float | int, no: Value | float | int) -> Value:
    """Lane by lane `yes` where the condition holds, else `no`; both have been evaluated."""
    writer = condition.writer
    kind = next((item.kind for item in (yes, no) if isinstance(item, Value)), REAL)
    one, two = (item.text if isinstance(item, Value) else writer.constant(item, kind) for item in (yes, no))
    lanes = writer.type(kind)
    text = f"select {writer.type(BOOLEAN)} {condition.text}, {lanes} {one}, {lanes} {two}"
    return Value(writer, writer.line(text), kind)


def polynomial(variable: Value, coefficients: tuple[float, ...]) -> Value:
    """Horner's rule in the square of the variable over pairs of terms, fused; coefficients from the constant.

    One product more than plain Horner and half as long a chain, which is what bounds a loop of sines.
    """
    square = variable * variable
    pairs = [fma(variable, b, a) for a, b in zip(coefficients[::2], coefficients[1::2], strict=False)]
    result: Value | float = coefficients[-1] if len(coefficients) % 2 else pairs.pop()
    for pair in reversed(pairs):
        result = fma(square, result, pair)
    assert isinstance(result, Value)
    return result
