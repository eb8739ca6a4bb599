"""LLVM text to machine code in this process."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from condyle.kernels.target import Target, host

#: One thread at a time compiles or loads.
LOCK = threading.RLock()

#: Engines own the code that addresses point to. A caller may keep an address only, so none is ever freed.
_ENGINES: list[Any] = []

_ROWS = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p
)
_LANES = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)


@dataclass(frozen=True)
class Code:
    """One width of a kernel: the address of `lanes`, and both functions for Python (see `entries`)."""

    address: int
    lanes: Callable[[int, int], None]
    rows: Callable[[int, int, int, int, int], None]


def machine(target: Target) -> Any:
    """The LLVM target machine; level 1: higher ones take longer for code that is no faster (measured)."""
    import llvmlite.binding as llvm

    if target == host():
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    else:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=1, reloc="pic", codemodel="default"
    )


def object_code(text: str, target: Target) -> bytes:
    """Machine code of a module, as an object file.

    No LLVM pass runs before code generation: equal instructions were merged and products fused beforehand.
    """
    import llvmlite.binding as llvm

    with LOCK:
        maker = machine(target)
        module = llvm.parse_assembly(text)
        return maker.emit_object(module)


def load(payload: bytes, width: int) -> Code:
    """Put an object file into this process."""
    import llvmlite.binding as llvm

    with LOCK:
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine(host()))
        engine.add_object_file(llvm.ObjectFileRef.from_data(payload))
        engine.finalize_object()
        _ENGINES.append(engine)
        lanes = engine.get_function_address(f"condyle_lanes_{width}")
        rows = engine.get_function_address(f"condyle_rows_{width}")
    return Code(lanes, _LANES(lanes), _ROWS(rows))
