"""Undefined symbols of relocatable object files: ELF (64 bit), COFF and Mach-O (64 bit), little endian."""

from __future__ import annotations

import struct


def undefined(data: bytes) -> set[str]:
    """Names that the object expects from elsewhere."""
    if data[:4] == b"\x7fELF":
        return _elf(data)
    if data[:4] == b"\xcf\xfa\xed\xfe":
        return _macho(data)
    return _coff(data)


def _name(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()


def _elf(data: bytes) -> set[str]:
    (offset,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + k * size) for k in range(count)]
    found = set()
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        strings = sections[section[6]][4]
        for start in range(section[4] + 24, section[4] + section[5], 24):
            name, _, _, index, _, _ = struct.unpack_from("<IBBHQQ", data, start)
            if index == 0:
                found.add(_name(data, strings + name))
    return found


def _coff(data: bytes) -> set[str]:
    table, count = struct.unpack_from("<II", data, 8)
    strings = table + 18 * count
    found, k = set(), 0
    while k < count:
        raw, value, section, _, storage, extra = struct.unpack_from("<8sIhHBB", data, table + 18 * k)
        if section == 0 and storage == 2 and value == 0:
            long = raw[:4] == b"\0\0\0\0"
            found.add(
                _name(data, strings + struct.unpack("<I", raw[4:])[0]) if long else raw.rstrip(b"\0").decode()
            )
        k += 1 + extra
    return found


def _macho(data: bytes) -> set[str]:
    (commands,) = struct.unpack_from("<I", data, 16)
    start, found = 32, set()
    for _ in range(commands):
        command, length = struct.unpack_from("<II", data, start)
        if command == 2:  # LC_SYMTAB
            symbols, count, strings, _ = struct.unpack_from("<IIII", data, start + 8)
            for k in range(count):
                name, kind, _, _, _ = struct.unpack_from("<IBBHQ", data, symbols + 16 * k)
                if kind & 0x0E == 0 and kind & 0x01:
                    found.add(_name(data, strings + name))
        start += length
    return found
