"""An elementary function as data, and its LLVM text for a given number of lanes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from condyle.kernels.elementary.ir import BOOLEAN, REAL, Value, Writer


@dataclass(frozen=True)
class Definition:
    """One elementary function.

    near: builds the result (or the tuple of results) from the arguments.
    outside: the lanes that `near` does not serve; they get the C library's functions `libm`, one for each
        result. None: no such lanes.
    inline: expanded at each call (small and frequent), else a function of its own.
    accuracy: largest error in units in the last place where `near` serves; range: that range, in words.
    """

    name: str
    near: Callable[..., Value | tuple[Value, ...]]
    accuracy: float
    range: str
    arguments: int = 1
    results: int = 1
    outside: Callable[..., Value] | None = None
    libm: tuple[str, ...] = ()
    inline: bool = False

    def symbol(self, width: int) -> str:
        return f"@condyle_{self.name}_{width}"

    def text(self, width: int) -> str:
        """LLVM definitions: the function, preceded by its slow path where it has one. No declarations."""
        writer = Writer(width)
        arguments = [writer.argument(f"a{k}") for k in range(self.arguments)]
        near = self.near(*arguments)
        results = list(near) if isinstance(near, tuple) else [near]
        slow = ""
        if self.outside is not None:
            slow = self._slow(width)
            results = self._merge(writer, arguments, results)
        self._return(writer, results)
        attribute = "alwaysinline" if self.inline else "noinline"
        return slow + self._function(writer, self.symbol(width), self.arguments, attribute)

    def _merge(self, writer: Writer, arguments: list[Value], near: list[Value]) -> list[Value]:
        """Branch to the slow path only when some lane needs it; it returns `near` in the other lanes."""
        assert self.outside is not None
        outside = self.outside(*arguments)
        flag = outside.text
        if writer.width > 1:
            flag = writer.line(
                f"call i1 @llvm.vector.reduce.or.v{writer.width}i1({writer.type(BOOLEAN)} {flag})"
            )
        writer.lines.append(f"  br i1 {flag}, label %slow, label %done\nslow:")
        passed = ", ".join(f"{writer.type(REAL)} {value.text}" for value in (*arguments, *near))
        far = writer.line(f"call {self._type(writer)} {self._slow_symbol(writer.width)}({passed})")
        parts = [far]
        if self.results > 1:
            parts = [
                writer.line(f"extractvalue {self._type(writer)} {far}, {k}") for k in range(self.results)
            ]
        writer.lines.append("  br label %done\ndone:")
        merged = []
        for value, part in zip(near, parts, strict=True):
            text = writer.line(f"phi {writer.type(REAL)} [ {value.text}, %0 ], [ {part}, %slow ]")
            merged.append(Value(writer, text, REAL))
        return merged

    def _slow_symbol(self, width: int) -> str:
        return f"@condyle_{self.name}_slow_{width}"

    def _slow(self, width: int) -> str:
        """The C library lane by lane; the others keep `near`, so a lane does not depend on its neighbours."""
        assert self.outside is not None
        writer = Writer(width)
        arguments = [writer.argument(f"a{k}") for k in range(self.arguments)]
        outside = self.outside(*arguments).text
        results = []
        for k, function in enumerate(self.libm):
            near, lanes = f"%a{self.arguments + k}", writer.type(REAL)
            if width == 1:
                passed = ", ".join(f"double {argument.text}" for argument in arguments)
                text = writer.line(f"call double @{function}({passed}) nobuiltin")
            else:
                text = "poison"
                for lane in range(width):
                    scalars = [
                        writer.line(f"extractelement {lanes} {item.text}, i64 {lane}") for item in arguments
                    ]
                    passed = ", ".join(f"double {scalar}" for scalar in scalars)
                    value = writer.line(f"call double @{function}({passed}) nobuiltin")
                    text = writer.line(f"insertelement {lanes} {text}, double {value}, i64 {lane}")
            text = writer.line(f"select {writer.type(BOOLEAN)} {outside}, {lanes} {text}, {lanes} {near}")
            results.append(Value(writer, text, REAL))
        self._return(writer, results)
        return self._function(
            writer, self._slow_symbol(width), self.arguments + self.results, "noinline cold"
        )

    def _type(self, writer: Writer) -> str:
        lanes = writer.type(REAL)
        return lanes if self.results == 1 else "{ " + ", ".join([lanes] * self.results) + " }"

    def _return(self, writer: Writer, results: list[Value]) -> None:
        if len(results) == 1:
            writer.lines.append(f"  ret {writer.type(REAL)} {results[0].text}")
            return
        pair = "poison"
        for k, value in enumerate(results):
            pair = writer.line(
                f"insertvalue {self._type(writer)} {pair}, {writer.type(REAL)} {value.text}, {k}"
            )
        writer.lines.append(f"  ret {self._type(writer)} {pair}")

    def _function(self, writer: Writer, symbol: str, arguments: int, attributes: str) -> str:
        # memory(none): a libm call may set errno, which nothing here reads
        passed = ", ".join(f"{writer.type(REAL)} %a{k}" for k in range(arguments))
        attributes += " nounwind willreturn memory(none)"
        if (
            writer.width > 1
        ):  # callers and callees must agree that a vector of this width travels in registers
            bits = 64 * writer.width
            attributes += f' "prefer-vector-width"="{bits}" "min-legal-vector-width"="{bits}"'
        head = f"define internal {self._type(writer)} {symbol}({passed}) {attributes} {{"
        return "\n".join([head, *writer.lines, "}", ""])
