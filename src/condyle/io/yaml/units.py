"""Units that a YAML number may carry, and which dimension each field expects."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
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
        "rotational_damping": (1, 2, -1, 0),
        "stiffness": (1, 0, -2, 0),
        "damping": (1, 0, -1, 0),
    }
)

# Factor to SI; an exact fraction, so that "1.79 mm" is the double nearest to 0.00179.
_UNITS: Mapping[str, tuple[Dimension, Fraction]] = MappingProxyType(
    {
        "rad": ((0, 0, 0, 1), Fraction(1)),
        "deg": ((0, 0, 0, 1), Fraction(math.pi) / 180),
        "m": ((0, 1, 0, 0), Fraction(1)),
        "cm": ((0, 1, 0, 0), Fraction(1, 100)),
        "mm": ((0, 1, 0, 0), Fraction(1, 1000)),
        "um": ((0, 1, 0, 0), Fraction(1, 10**6)),
        "nm": ((0, 1, 0, 0), Fraction(1, 10**9)),
        "kg": ((1, 0, 0, 0), Fraction(1)),
        "g": ((1, 0, 0, 0), Fraction(1, 1000)),
        "s": ((0, 0, 1, 0), Fraction(1)),
        "ms": ((0, 0, 1, 0), Fraction(1, 1000)),
        "N": ((1, 1, -2, 0), Fraction(1)),
        "kN": ((1, 1, -2, 0), Fraction(1000)),
    }
)

LONGEST = 60  # characters of a number with its unit
_QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z].*)")
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
    "rotational_damping": "0.5 N m s",
    "stiffness": "4 N/mm",
    "damping": "30 N s/m",
}


def quantity(text: str, allowed: tuple[str, ...]) -> float:
    """SI value of text such as "130 deg"; `allowed` names dimensions. ValueError says what was expected."""
    match = _QUANTITY.fullmatch(text) if len(text) <= LONGEST else None
    if match is None:
        raise ValueError(f"{_shown(text)} is not a number with a unit; {_expected(allowed)}")
    dimension, factor = _unit(match[2].strip())
    if allowed and not any(dimension == DIMENSIONS[name] for name in allowed):
        found = _name(dimension)
        raise ValueError(f"{_shown(text)} is {_article(found or 'another quantity')}; {_expected(allowed)}")
    return _product(match[1], factor)


def dimension_of(text: str) -> str | None:
    """Name of the dimension of text such as "130 deg"; None where it has none of a name."""
    match = _QUANTITY.fullmatch(text)
    return _name(_unit(match[2].strip())[0]) if match is not None else None


def _name(dimension: Dimension) -> str | None:
    return next((name for name, exponents in DIMENSIONS.items() if exponents == dimension), None)


def _product(digits: str, factor: Fraction) -> float:
    value = float(digits)
    # Exact arithmetic only where the exponent is small: the fraction of 1e-99999999 would fill the memory.
    return float(Fraction(digits) * factor) if 1e-200 < abs(value) < 1e200 else value * float(factor)


def _unit(text: str) -> tuple[Dimension, Fraction]:
    """Dimension and factor; units are multiplied with a space or `*` and divided with `/`."""
    total, product = [0, 0, 0, 0], Fraction(1)
    power = 1
    for part in re.split(r"(\s*/\s*|\s*\*(?!\*)\s*|\s+)", text):
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
        dimension, scale = _UNITS[factor[1]]
        exponent = power * int(factor[2] or 1)
        product *= scale**exponent
        total = [old + exponent * new for old, new in zip(total, dimension, strict=True)]
    return (total[0], total[1], total[2], total[3]), product


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
