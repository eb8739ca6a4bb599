"""Native functions to machine code in this process, through Condyle's cache."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from condyle.kernels import cache
from condyle.kernels import compile as compiler
from condyle.kernels.target import Target, host
from condyle.solve.native.language import ARRAYS, Native, fields, signature
from condyle.solve.native.struct import pack, unpack
from condyle.solve.native.translate import module_text, reachable

_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
_LOCK = threading.Lock()
_ENGINES: list[Any] = []  # own the code that addresses point to


def compiled(entry: Callable[[Any, int], int]) -> Callable[[Any, int], int]:
    """The compiled form of a native function (struct, int) -> int; the function itself where LLVM is missing.

    The returned function writes the struct's numbers back into the object that it is given.
    """
    assert isinstance(entry, Native)
    with _LOCK:
        return _compiled(entry)


@functools.cache
def _compiled(entry: Native) -> Callable[[Any, int], int]:
    try:
        import llvmlite  # noqa: F401
    except ImportError:

        def plain(memory: Any, argument: int) -> int:
            with np.errstate(all="ignore"):
                return entry(memory, argument)

        return plain
    function = _PROTOTYPE(_load(_machine_code(entry)))
    struct = entry.function.__globals__[signature(entry)[0][0][1]]

    def run(memory: Any, argument: int) -> int:
        words = pack(struct, memory)
        try:
            return function(words.ctypes.data, argument)
        finally:  # Ctrl-C is raised right after the call
            unpack(struct, words, memory)

    return run


def _machine_code(entry: Native) -> bytes:
    key = _key(entry)
    stored = cache.load(key, "native")
    if stored is not None:
        return stored.payload
    text = module_text(entry)
    payload = object_code(text, host())
    cache.store(
        key, "native", payload, {"name": entry.name, "ir_digest": hashlib.sha256(text.encode()).hexdigest()}
    )
    return payload


def _key(entry: Native) -> bytes:
    """Digest of all that shapes the machine code: texts, constants, compiler, machine."""
    import llvmlite

    functions = reachable(entry)
    files = {inspect.getfile(item.function) for item in functions}
    files |= {str(path) for path in Path(__file__).parent.glob("*.py")}
    constants, structs = {}, {}
    for item in functions:
        for name in item.function.__code__.co_names:
            value = item.function.__globals__.get(name)
            if isinstance(value, int | float):
                constants[item.name, name] = value
        for _, note in signature(item)[0]:
            value = item.function.__globals__.get(note)
            if isinstance(value, type) and note not in ARRAYS:
                structs[note] = fields(value)
    digest = hashlib.sha256(repr((entry.name, llvmlite.__version__, host())).encode())
    digest.update(repr((sorted(constants.items()), sorted(structs.items()))).encode())
    for path in sorted(files):
        digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
    return digest.digest()


def object_code(text: str, target: Target) -> bytes:
    """Machine code of a module, optimised for a machine."""
    import llvmlite.binding as llvm

    with compiler.LOCK:
        machine = compiler.machine(target)
        module = llvm.parse_assembly(f'target triple = "{target.triple}"\n{text}')
        module.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = True
        # Calls of these functions cost nothing beside a kernel's; copies of them would cost compile time.
        options.slp_vectorization = False
        options.loop_unrolling = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        return machine.emit_object(module)


def _load(payload: bytes) -> int:
    import llvmlite.binding as llvm

    with compiler.LOCK:
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), compiler.machine(host()))
        engine.add_object_file(llvm.ObjectFileRef.from_data(payload))
        engine.finalize_object()
        _ENGINES.append(engine)
        return engine.get_function_address("condyle_loop")
