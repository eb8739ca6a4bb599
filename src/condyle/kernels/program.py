"""The target-neutral form of a graph: a straight line of instructions between input and output ports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class UnknownOperation(Exception):
    """The graph contains an operation that has no machine form here."""


class Instruction(NamedTuple):
    """One operation on earlier values; `payload` is what is not a value (a constant, a place, a program)."""

    operation: str
    arguments: tuple[int, ...]
    payload: Any = None


@dataclass(frozen=True)
class Port:
    """An input or output: its name, array shape, and the dense C-order place of each CasADi nonzero."""

    name: str
    shape: tuple[int, ...]
    places: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of elements of the dense array."""
        total = 1
        for extent in self.shape:
            total *= extent
        return total


@dataclass(frozen=True)
class Program:
    """A straight line of instructions; `output` and `input` payloads are (port, dense place)."""

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    code: tuple[Instruction, ...]
    operations: int = field(compare=False)
