"""Units that a YAML number may carry, and which dimension each field expects."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType

from condyle.errors import closest

# (kilogram, metre, second, radian) exponents
Dimension = tuple[int, int, int, int]

DIMENSIONS: Mapping[str, Dimension] = MappingProxyType(
    {
        "dimensionless": (0, 0, 0, 0),
        "angle": (0, 0, 0, 1),
        "length": (0, 1, 0, 0),
        "mass": (1, 0, 0, 0),
        "inertia": (1, 2, 0, 0),
        "time": (0, 0, 1, 0),
        "acceleration": (0, 1, -2, 0),
        "force": (1, 1, -2, 0),
        "moment": (1, 2, -2, 0),
        "pitch": (0, 1, 0, -1),
    }
)

# Factor to SI as numerator and denominator: "12 mm" is 12 / 1000, the double nearest to 0.012.
_UNITS: Mapping[str, tuple[Dimension, float, float]] = MappingProxyType(
    {
        "rad": ((0, 0, 0, 1), 1.0, 1.0),
        "deg": ((0, 0, 0, 1), math.pi, 180.0),
        "m": ((0, 1, 0, 0), 1.0, 1.0),
        "cm": ((0, 1, 0, 0), 1.0, 1e2),
        "mm": ((0, 1, 0, 0), 1.0, 1e3),
        "um": ((0, 1, 0, 0), 1.0, 1e6),
        "nm": ((0, 1, 0, 0), 1.0, 1e9),
        "kg": ((1, 0, 0, 0), 1.0, 1.0),
        "g": ((1, 0, 0, 0), 1.0, 1e3),
        "s": ((0, 0, 1, 0), 1.0, 1.0),
        "ms": ((0, 0, 1, 0), 1.0, 1e3),
        "N": ((1, 1, -2, 0), 1.0, 1.0),
        "kN": ((1, 1, -2, 0), 1e3, 1.0),
    }
)

_QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z][^\d].*|[A-Za-z].*)\s*")
_FACTOR = re.compile(r"([A-Za-z]+)(?:(?:\^|\*\*)(-?\d))?")
EXAMPLES: Mapping[str, str] = {
    "angle": "130 deg",
    "length": "12 mm",
    "mass": "3 kg",
    "inertia": "120 kg cm^2",
    "time": "5 ms",
    "acceleration": "-9.81 m/s^2",
    "force": "40 N",
    "moment": "2 N m",
    "pitch": "5 mm/rad",
}


def quantity(text: str, allowed: tuple[str, ...]) -> float:
    """SI value of text such as "130 deg"; `allowed` names dimensions. ValueError says what was expected."""
    match = _QUANTITY.fullmatch(text)
    if match is None or len(text) > 100:
        raise ValueError(f"{_shown(text)} is not a number with a unit; {_expected(allowed)}")
    dimension, value = _convert(float(match[1]), match[2].strip())
    if not allowed or any(dimension == DIMENSIONS[name] for name in allowed):
        return value
    found = next(
        (name for name, exponents in DIMENSIONS.items() if exponents == dimension), "another quantity"
    )
    raise ValueError(f"{_shown(text)} is {_article(found)}; {_expected(allowed)}")


def dimension_of(text: str) -> str | None:
    """Name of the dimension of text such as "130 deg"; None where it has none of a name."""
    match = _QUANTITY.fullmatch(text)
    if match is None:
        return None
    dimension, _ = _convert(1.0, match[2].strip())
    return next((name for name, exponents in DIMENSIONS.items() if exponents == dimension), None)


def _convert(value: float, unit: str) -> tuple[Dimension, float]:
    """Dimension and SI value; units are multiplied with a space or `*` and divided with `/`."""
    total = [0, 0, 0, 0]
    power = 1
    for part in re.split(r"(\s*/\s*|\s*\*(?!\*)\s*|\s+)", unit):
        separator = part.strip()
        if separator in ("", "*"):
            continue
        if separator == "/":
            power = -1
            continue
        factor = _FACTOR.fullmatch(part)
        if factor is None or factor[1] not in _UNITS:
            name = factor[1] if factor else part
            raise ValueError(f"unknown unit {_shown(name)}{closest(name, _UNITS)}")
        dimension, numerator, denominator = _UNITS[factor[1]]
        exponent = power * int(factor[2] or 1)
        for _ in range(abs(exponent)):
            value = value * numerator / denominator if exponent > 0 else value * denominator / numerator
        total = [old + exponent * new for old, new in zip(total, dimension, strict=True)]
    return (total[0], total[1], total[2], total[3]), value


def _expected(allowed: tuple[str, ...]) -> str:
    if allowed == ("dimensionless",):
        return "a plain number (no unit) is needed"
    examples = [f"{_article(name)} like {EXAMPLES[name]!r}" for name in allowed if name in EXAMPLES]
    return "allowed: a plain number in SI units" + "".join(f", or {example}" for example in examples)


def _article(noun: str) -> str:
    if noun in ("another quantity", "dimensionless"):
        return noun
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
