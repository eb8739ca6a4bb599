"""The format of a cache file: what was written comes back, and nothing else is believed."""

import struct
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle.kernels.cache import entry
from condyle.kernels.cache.entry import BadEntry, decode, encode

METADATA = st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=8), max_size=4)


@given(st.binary(max_size=64), st.binary(max_size=300), METADATA)
def test_round_trip(key: bytes, payload: bytes, metadata: dict) -> None:
    """Key, kind, payload and metadata return as they were given."""
    header, content = decode(BytesIO(encode(key, "kernel", payload, metadata)))
    assert (header.key, header.kind, header.metadata) == (key, "kernel", metadata)
    assert (content.payload, content.metadata) == (payload, metadata)


@given(st.data())
def test_any_change_is_seen(data: st.DataObject) -> None:
    """One altered byte anywhere, a cut at any place, anything appended: each is refused."""
    good = encode(b"key", "kernel", b"machine code" * 5, {"ir_digest": "0f"})
    place = data.draw(st.integers(0, len(good) - 1))
    other = data.draw(st.integers(1, 255))
    altered = good[:place] + bytes([good[place] ^ other]) + good[place + 1 :]
    for bad in (altered, good[:place], good + data.draw(st.binary(min_size=1, max_size=9))):
        with pytest.raises(BadEntry):
            decode(BytesIO(bad))


def test_other_version_is_named() -> None:
    """A file of another format version says which, even when it is whole."""
    good = encode(b"key", "kernel", b"", {})
    other = good[:8] + struct.pack("<I", entry.VERSION + 1) + good[12:]
    with pytest.raises(BadEntry, match=f"format version {entry.VERSION + 1}"):
        decode(BytesIO(other))


def test_foreign_file_is_named() -> None:
    """A file of some other program is not taken for a damaged one of ours."""
    with pytest.raises(BadEntry, match="not a cache file of Condyle"):
        decode(BytesIO(b"\x7fELF" + bytes(200)))
