"""Numba's compiled loops in Condyle's cache. Imports numba; reached through `kernels.jit` at a first call.

Numba's own disk cache is not used: it raises where it finds no writable folder, does not see a change in a
function of another file that is called, and two processes that compile different signatures at once can leave
an index that names the wrong machine code. Here a signature is one file with a digest (`kernels.cache`).
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import pkgutil
import sys
from typing import Any

import llvmlite
import numba
import numpy
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from condyle.kernels import cache

KIND = "loop"


class LoopCache(_Cache):
    """The store behind one dispatcher; `stamp` stands for the code of the loop and of all that it calls."""

    def __init__(self, name: str, stamp: bytes) -> None:
        self._name = name
        self._stamp = stamp + _own_source()
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        place = cache.cache_folder()
        return None if place is None else str(place)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing to do: a key never fits changed code, and old files are removed when room is needed."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compile result for the argument types `sig`, or None."""
        if not self._shareable(sig):
            return None
        target_context.refresh()  # registers the implementations that the object refers to
        entry = cache.load(self._key(sig, target_context.codegen()), KIND)
        if entry is None:
            return None
        # The digest is right, but numba's pickles are its own affair: what it refuses is compiled anew.
        with contextlib.suppress(Exception):
            return CompileResult._rebuild(target_context, *pickle.loads(entry.payload))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compile result, unless it holds addresses of this process."""
        own = data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted)
        if own or not self._shareable(sig) or cache.cache_folder() is None:
            return
        ir_digest = hashlib.sha256(data.library.get_llvm_str().encode()).hexdigest()
        metadata = {"name": self._name, "signature": str(sig), "ir_digest": ir_digest}
        cache.store(self._key(sig, data.codegen), KIND, dumps(data._reduce()), metadata)

    def _shareable(self, sig: Any) -> bool:
        # The type of a function given as an argument is named by its address, which means nothing elsewhere.
        return self._enabled and " at 0x" not in str(sig)

    def _key(self, sig: Any, codegen: Any) -> bytes:
        versions = (sys.version, numba.__version__, llvmlite.__version__, numpy.__version__)
        text = repr((self._name, str(sig), codegen.magic_tuple(), versions))
        return hashlib.sha256(self._stamp + text.encode()).digest()


def _own_source() -> bytes:
    """The text of the intrinsics, which end up inside the loops."""
    with contextlib.suppress(OSError):  # an installation without sources has a fixed version
        return pkgutil.get_data("condyle.kernels", "intrinsics.py") or b""
    return b""
