"""What is known of a kernel without its graph: names, shapes, size; and the keys of its code in the cache."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from condyle.kernels.target import Target

Shape = tuple[int, ...]
Ports = tuple[tuple[str, Shape], ...]


@dataclass(frozen=True)
class Description:
    """Inputs and outputs as (name, shape), and the number of operations of one evaluation."""

    inputs: Ports
    outputs: Ports
    operations: int

    def as_metadata(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "inputs": [[name, list(shape)] for name, shape in self.inputs],
            "outputs": [[name, list(shape)] for name, shape in self.outputs],
            "operations": self.operations,
        }

    @classmethod
    def from_metadata(cls, data: dict[str, Any]) -> Description:
        """The inverse of as_metadata; KeyError, TypeError or ValueError where the data are something else."""

        def ports(items: Any) -> Ports:
            return tuple((str(name), tuple(int(extent) for extent in shape)) for name, shape in items)

        return cls(ports(data["inputs"]), ports(data["outputs"]), int(data["operations"]))


@cache
def _stamp() -> bytes:
    """Digest of what turns a graph into code: the versions of what we build on, the emitter's own text."""
    digest = hashlib.sha256()
    for package in ("condyle", "casadi", "llvmlite"):
        try:
            digest.update(f"{package} {version(package)}\n".encode())
        except PackageNotFoundError:
            digest.update(f"{package}\n".encode())
    here = Path(__file__).parent
    for path in (*sorted(here.glob("*.py")), *sorted((here / "elementary").glob("*.py"))):
        digest.update(path.read_bytes())
    return digest.digest()


def description_key(key: bytes) -> bytes:
    """Where a kernel's Description is stored."""
    return hashlib.sha256(b"description" + _stamp() + key).digest()


def object_key(key: bytes, width: int, target: Target) -> bytes:
    """Where the machine code of one width is stored."""
    options = f"{width} {target.triple} {target.cpu} {target.features}".encode()
    return hashlib.sha256(b"object" + _stamp() + hashlib.sha256(options).digest() + key).digest()
