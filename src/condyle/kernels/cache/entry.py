"""One cache file, whose digest covers every other byte of it; anything else is refused.

In this order, numbers little endian:

    8 bytes   magic
    4 bytes   format version
    4 bytes   length of the header
    32 bytes  SHA-256 of all before it and all after it
    header    {"kind", "key" (hex), "length" of the payload, "metadata"}
    payload
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

MAGIC = b"\x93CONDYLE"
VERSION = 1
_START = struct.Struct("<8sII")
_DIGEST = 32
_LONGEST_HEADER = 1 << 24  # bytes; a damaged length must not make the reader ask for gigabytes


class BadEntry(Exception):
    """The bytes are not an entry of this version; the text says in what."""


@dataclass(frozen=True)
class Entry:
    """What was stored: the payload and the caller's own description of it (JSON types)."""

    payload: bytes
    metadata: dict[str, Any]


@dataclass(frozen=True)
class Header:
    """What a file says about itself."""

    kind: str
    key: bytes
    metadata: dict[str, Any]


def encode(key: bytes, kind: str, payload: bytes, metadata: dict[str, Any]) -> bytes:
    """The whole file."""
    description = {"kind": kind, "key": key.hex(), "length": len(payload), "metadata": metadata}
    header = json.dumps(description, separators=(",", ":")).encode()
    if len(header) > _LONGEST_HEADER:
        raise ValueError(f"key and metadata take {len(header)} bytes; at most {_LONGEST_HEADER} fit")
    start = _START.pack(MAGIC, VERSION, len(header))
    return b"".join((start, _digest(start, header, payload), header, payload))


def decode(file: BinaryIO) -> tuple[Header, Entry]:
    """Header and content of an open file; raises BadEntry for any byte that is not as it was written."""
    start = file.read(_START.size)
    stored = file.read(_DIGEST)
    if len(stored) < _DIGEST:
        raise BadEntry("shorter than the start of a cache file")
    magic, version, length = _START.unpack(start)
    if magic != MAGIC:
        raise BadEntry("not a cache file of Condyle")
    if version != VERSION:
        raise BadEntry(f"format version {version}; this is version {VERSION}")
    text = file.read(min(length, _LONGEST_HEADER))
    payload = file.read()  # read by itself: cutting it out of the whole file would copy a megabyte
    if _digest(start, text, payload) != stored:
        raise BadEntry("the digest does not fit the content: truncated or altered")
    try:
        description = json.loads(text)
        header = Header(description["kind"], bytes.fromhex(description["key"]), description["metadata"])
    except (ValueError, KeyError, TypeError) as error:  # only by a writer that computes digests itself
        raise BadEntry(f"the header cannot be read ({error})") from error
    if description["length"] != len(payload):
        raise BadEntry("the header states another length")
    return header, Entry(payload, header.metadata)


def _digest(start: bytes, header: bytes, payload: bytes) -> bytes:
    digest = hashlib.sha256(start)
    digest.update(header)
    digest.update(payload)
    return digest.digest()
