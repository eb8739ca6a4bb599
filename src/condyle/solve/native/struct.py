"""The struct of a native function: a Python object to 64-bit words and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from condyle.solve.native.language import ARRAYS, fields


def pack(struct: type, memory: Any) -> np.ndarray:
    """Numbers, and addresses and pitches of arrays, one word each. The object keeps the arrays alive."""
    words: list[int] = []
    for name, note in fields(struct).items():
        value = getattr(memory, name)
        if note in ARRAYS:
            element, axes = ARRAYS[note]
            wanted = np.float64 if element == "double" else np.int64
            if value.ndim != axes or value.dtype != wanted or not value.flags.c_contiguous:
                raise TypeError(f"{name}: {axes} axes of {wanted.__name__}, contiguous, are needed")
            words.append(value.__array_interface__["data"][0])  # several times faster than .ctypes
            words += [stride // 8 for stride in value.strides[:-1]]
        elif note == "float":
            words.append(int(np.float64(value).view(np.int64)))
        else:
            words.append(int(value))
    return np.array(words, np.int64)


def unpack(struct: type, words: np.ndarray, memory: Any) -> None:
    """Write the numbers back."""
    at = 0
    for name, note in fields(struct).items():
        if note in ARRAYS:
            at += ARRAYS[note][1]
            continue
        word = words[at]
        setattr(memory, name, float(word.view(np.float64)) if note == "float" else int(word))
        at += 1
