"""Compiled objects on disk, between processes: load(key, kind), store(key, kind, payload, metadata).

A key is made without tracing a model (its hash, function, options, lane width, versions, CPU name and
features). The metadata carry under `ir_digest` the digest of the intermediate representation that was
compiled, by which `verify` can tell an object that its key no longer describes. Nothing here raises for a
cache that is missing, full, foreign or broken: it is a miss, or nothing is stored, and one warning says why.
"""

from condyle.kernels.cache.entry import Entry
from condyle.kernels.cache.folder import cache_folder
from condyle.kernels.cache.review import Record, clear, entries, total_size, verify
from condyle.kernels.cache.store import load, store

__all__ = ["Entry", "Record", "clear", "entries", "cache_folder", "load", "store", "total_size", "verify"]
