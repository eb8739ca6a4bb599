"""Load and store objects by key; safe among processes, bounded in size, and never a reason to fail."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from condyle.errors import CondyleError
from condyle.files import TEMPORARY_PREFIX, write_atomically
from condyle.kernels.cache.entry import BadEntry, Entry, decode, encode
from condyle.kernels.cache.folder import cache_folder, limit, may_write, refuse

_SUFFIX = ".condyle"
_NAME = re.compile(r"[a-z][a-z0-9_]*-[0-9a-f]{64}\.condyle")
_KIND = re.compile(r"[a-z][a-z0-9_]{0,31}")
_ABANDONED = 3600.0  # seconds after which a temporary file belongs to no living process


def load(key: bytes, kind: str) -> Entry | None:
    """What was stored for `key`, or None. A file that is not as it was written is deleted and is a miss."""
    place = cache_folder()
    if place is None:
        return None
    path = _path(place, key, kind)
    try:
        with open(path, "rb", buffering=0) as file:
            header, entry = decode(file)
        if header.key != key or header.kind != kind:
            raise BadEntry("it belongs to another key")
    except OSError:
        return None
    except BadEntry:
        remove(path)
        return None
    with contextlib.suppress(OSError):  # a read-only cache still serves
        os.utime(path)
    return entry


def store(key: bytes, kind: str, payload: bytes, metadata: dict[str, Any]) -> bool:
    """Keep `payload` and its `metadata` (JSON types) for `key`; False where that is not possible.

    The least recently used files make room when the total would pass the limit.
    """
    place = cache_folder()
    if place is None or not may_write(place):
        return False
    path = _path(place, key, kind)
    data = encode(key, kind, payload, metadata)
    bound = limit()
    if len(data) > bound:
        return False
    try:
        # Not durable: after a power cut the digest tells a broken file, and waiting for the disk is slow.
        write_atomically(path, data, durable=False)
    except CondyleError as error:
        if os.name != "nt" or not path.exists():  # Windows does not replace a file that somebody reads
            refuse(place, error)
        return False
    _make_room(place, bound, keep=path)
    return True


def files(place: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The cache's own files in `place`; what else is in that folder is not ours to touch."""
    with contextlib.suppress(OSError), os.scandir(place) as items:
        for item in items:
            if _NAME.fullmatch(item.name):
                with contextlib.suppress(OSError):  # another process removed it
                    yield Path(item.path), item.stat(follow_symlinks=False)


def remove(path: Path) -> None:
    """Delete a file that another process may have deleted already, or still reads (Windows)."""
    with contextlib.suppress(OSError):
        path.unlink()


def _path(place: Path, key: bytes, kind: str) -> Path:
    if not _KIND.fullmatch(kind):
        raise ValueError(f"kind {kind!r} is not a short lower-case word")
    return place / f"{kind}-{hashlib.sha256(key).hexdigest()}{_SUFFIX}"


def _make_room(place: Path, bound: int, keep: Path) -> None:
    found = list(files(place))
    total = sum(status.st_size for _, status in found)
    if total <= bound:
        return
    _sweep(place)
    for path, status in sorted(found, key=lambda item: item[1].st_mtime_ns):
        if total <= bound:
            return
        if path != keep:
            remove(path)
            total -= status.st_size


def _sweep(place: Path) -> None:
    """Remove temporary files that a killed process left behind."""
    old = time.time() - _ABANDONED
    with contextlib.suppress(OSError), os.scandir(place) as items:
        for item in items:
            if item.name.startswith(TEMPORARY_PREFIX) and item.name.endswith(_SUFFIX):
                with contextlib.suppress(OSError):
                    if item.stat(follow_symlinks=False).st_mtime < old:
                        os.unlink(item.path)
