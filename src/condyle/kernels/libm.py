"""Functions of the C library, one lane at a time: for rare operations without a vector form of their own."""

from __future__ import annotations

#: Name -> number of arguments.
ARITY = {"erf": 1, "fmod": 2, "hypot": 2, "remainder": 2}


def text(name: str, width: int) -> str:
    """LLVM text of @condyle_<name>_<width>, which calls the C function for every lane."""
    kind = f"<{width} x double>" if width > 1 else "double"
    letters = "xy"[: ARITY[name]]
    parameters = ", ".join(f"{kind} %{letter}" for letter in letters)
    lines = [f"define internal {kind} @condyle_{name}_{width}({parameters}) nounwind {{"]
    if width == 1:
        lines.append(f"  %r = call double @{name}({parameters})\n  ret double %r\n}}")
        return "\n".join(lines)
    result = "poison"
    for lane in range(width):
        for letter in letters:
            lines.append(f"  %{letter}{lane} = extractelement {kind} %{letter}, i32 {lane}")
        values = ", ".join(f"double %{letter}{lane}" for letter in letters)
        lines.append(f"  %c{lane} = call double @{name}({values})")
        lines.append(f"  %r{lane} = insertelement {kind} {result}, double %c{lane}, i32 {lane}")
        result = f"%r{lane}"
    lines.append(f"  ret {kind} {result}\n}}")
    return "\n".join(lines)


def declaration(name: str) -> str:
    """The declaration of the C function."""
    return f"declare double @{name}({', '.join(['double'] * ARITY[name])}) nounwind memory(none)"
