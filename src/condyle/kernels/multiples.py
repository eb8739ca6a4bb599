"""A pass over an instruction list: sines and cosines of whole multiples of one angle, as Fourier series have.

Those of k a come from those of a by the addition theorems, in about log2(k) steps. What is left over is about
k units of round-off, as much as the rounding of the product k a makes of it anyway.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from condyle.kernels.program import Instruction

GREATEST = 64
_NEARLY = 2.0**-51  # relative: a quotient of rounded numbers such as (2 pi k / T) / (2 pi / T)


def multiply_angles(code: list[Instruction]) -> list[Instruction]:
    """The same list with one sine and one cosine per angle and its multiples."""
    angles = _Angles(code)
    if not angles.multiples:
        return code
    result: list[Instruction] = []
    place: list[int] = []
    known: dict[tuple[int, int], tuple[int, int]] = {}
    for k, (operation, earlier, payload) in enumerate(code):
        arguments = tuple([place[a] for a in earlier])
        if k not in angles.multiples:
            place.append(len(result))
            result.append(Instruction(operation, arguments, payload))
            continue
        base, number = angles.multiples[k]
        if (base, 1) not in known:
            angle = place[base]
            if angles.unit[base] != 1.0:
                result.append(Instruction("const", (), struct.pack("<d", angles.unit[base])))
                result.append(Instruction("mul", (angle, len(result) - 1)))
                angle = len(result) - 1
            result += [Instruction("cos", (angle,)), Instruction("sin", (angle,))]
            known[base, 1] = (len(result) - 2, len(result) - 1)
        place.append(_pair(result, known, base, number)[operation == "sin"])
    return result


@dataclass
class _Angles:
    """Which sines and cosines are of multiples: instruction -> (base value, whole number); base -> unit."""

    code: list[Instruction]
    unit: dict[int, float] = field(default_factory=dict)
    multiples: dict[int, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found: dict[int, dict[int, float]] = {}
        for k, instruction in enumerate(self.code):
            if instruction.operation in ("sin", "cos"):
                base, factor = self._factored(instruction.arguments[0])
                found.setdefault(base, {})[k] = factor
        for base, factors in found.items():
            unit = min(factors.values(), key=abs)
            whole = {k: _whole(factor, unit) for k, factor in factors.items()}
            wanted = {number for number in whole.values() if number}
            # A few high harmonics alone would cost more products than sines.
            if len(wanted) > 1 and len(_needed(wanted)) <= 2 * len(wanted):
                self.unit[base] = unit
                self.multiples |= {k: (base, number) for k, number in whole.items() if number}

    def _factored(self, argument: int) -> tuple[int, float]:
        """(value, constant) whose product the argument is."""
        operation, factors, _ = self.code[argument]
        if operation == "mul":
            for one, other in (factors, factors[::-1]):
                if self.code[one].operation == "const":
                    return other, struct.unpack("<d", self.code[one].payload)[0]
        return argument, 1.0


def _whole(factor: float, unit: float) -> int:
    """factor / unit where that is a whole number from 1 to the greatest, else 0."""
    quotient = factor / unit if unit else 0.0
    if not 1.0 - _NEARLY <= quotient <= GREATEST + 0.5:
        return 0
    number = round(quotient)
    return number if abs(quotient - number) <= _NEARLY * number else 0


def _needed(numbers: set[int]) -> set[int]:
    """The multiples that are computed on the way."""
    found: set[int] = set()
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += [] if number == 1 else [number // 2, number - number // 2]
    return found


def _pair(
    result: list[Instruction], known: dict[tuple[int, int], tuple[int, int]], base: int, number: int
) -> tuple[int, int]:
    """Places of cosine and sine of `number` times the angle, appended where they are not known."""
    if (base, number) in known:
        return known[base, number]
    c, s = _pair(result, known, base, number // 2)
    C, S = _pair(result, known, base, number - number // 2)

    def append(operation: str, *arguments: int) -> int:
        result.append(Instruction(operation, arguments))
        return len(result) - 1

    cosine = append("sub", append("mul", c, C), append("mul", s, S))
    if number % 2:
        sine = append("add", append("mul", s, C), append("mul", c, S))
    else:
        sine = append("mul", c, append("add", s, s))
    known[base, number] = cosine, sine
    return cosine, sine
