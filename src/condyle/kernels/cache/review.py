"""Look over the whole cache: list it, check it, empty it (`condyle doctor --cache`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from condyle.kernels.cache.entry import BadEntry, decode
from condyle.kernels.cache.folder import cache_folder
from condyle.kernels.cache.store import files, remove


@dataclass(frozen=True)
class Record:
    """One file of the cache; `problem` is empty for a good one."""

    path: Path
    size: int  # bytes, with the header
    used: float  # seconds since the epoch, last stored or loaded
    kind: str = ""
    key: bytes = b""
    metadata: dict[str, Any] = field(default_factory=dict)
    problem: str = ""


def entries() -> Iterator[Record]:
    """Every file of the cache, read and its digest checked; none when the cache is off."""
    place = cache_folder()
    if place is None:
        return
    for path, status in files(place):
        size, used = status.st_size, status.st_mtime
        try:
            with open(path, "rb", buffering=0) as file:
                header, _ = decode(file)
        except FileNotFoundError:  # removed since by another process
            continue
        except (BadEntry, OSError) as error:
            yield Record(path, size, used, problem=str(error))
        else:
            yield Record(path, size, used, header.kind, header.key, header.metadata)


def total_size() -> int:
    """Bytes in all files of the cache."""
    place = cache_folder()
    return 0 if place is None else sum(status.st_size for _, status in files(place))


def verify(rebuild: Callable[[Record], str | None] | None = None) -> list[Record]:
    """Remove and return the records that are bad.

    `rebuild` derives an entry's object again and returns the digest of its intermediate representation, or
    None for an entry it cannot derive; an entry whose metadata carry another `ir_digest` is bad.
    """
    bad = []
    for record in entries():
        if not record.problem and rebuild is not None:
            fresh = rebuild(record)
            stored = record.metadata.get("ir_digest")
            if fresh is not None and fresh != stored:
                record = replace(record, problem=f"derived again its digest is {fresh}, stored is {stored}")
        if record.problem:
            remove(record.path)
            bad.append(record)
    return bad


def clear() -> int:
    """Remove all files of the cache (nothing else in its folder); returns how many."""
    place = cache_folder()
    if place is None:
        return 0
    found = [path for path, _ in files(place)]
    for path in found:
        remove(path)
    return len(found)
