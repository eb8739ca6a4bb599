"""Where a kernel's code comes from: the cache, else the compiler, else CasADi's interpreter."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import pickle
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from condyle.errors import InputError, closest
from condyle.kernels import cache as store
from condyle.kernels import compile as compiler
from condyle.kernels.description import Description, description_key, object_key
from condyle.kernels.target import host

_BACKENDS = ("llvm", "casadi")

#: Code that this process has already, by object key.
_LOADED: dict[bytes, compiler.Code] = {}


class Source:
    """Makes code for any width; traces and lowers the graph only when something is not stored."""

    def __init__(self, trace: Callable[[], Any], key: bytes | None, name: str) -> None:
        self.trace = trace
        self.key = key
        self.name = name
        self._function: Any = None
        self._program: Any = None
        self.interpreted = not compiles()
        with compiler.LOCK:
            self.description = self._stored_description() or self._traced_description()

    @property
    def function(self) -> Any:
        """The casadi.Function; CasADi's symbols belong to one thread at a time."""
        with compiler.LOCK:
            if self._function is None:
                self._function = self.trace()
            return self._function

    def _stored_description(self) -> Description | None:
        if self.key is None or self.interpreted:
            return None
        entry = store.load(description_key(self.key), "kernel")
        if entry is None:
            return None
        try:
            return Description.from_metadata(entry.metadata)
        except (KeyError, TypeError, ValueError):
            return None

    def _traced_description(self) -> Description:
        from condyle.kernels.instructions import port
        from condyle.kernels.program import UnknownOperation

        function = self.function
        try:
            operations = self.program.operations if not self.interpreted else function.n_instructions()
        except UnknownOperation as reason:
            warnings.warn(f"{self.name} runs on CasADi's interpreter: {reason}", RuntimeWarning, stacklevel=4)
            self.interpreted = True
            operations = function.n_instructions()
        given = [port(function, k, False) for k in range(function.n_in())]
        made = [port(function, k, True) for k in range(function.n_out())]
        description = Description(
            tuple((p.name, p.shape) for p in given), tuple((p.name, p.shape) for p in made), operations
        )
        if self.key is not None and not self.interpreted:
            store.store(description_key(self.key), "kernel", b"", description.as_metadata())
        return description

    @property
    def program(self) -> Any:
        """The instruction list."""
        from condyle.kernels.instructions import lower

        with compiler.LOCK:
            if self._program is None:
                self._program = lower(self.function)
            return self._program

    def text(self, width: int) -> str:
        """The LLVM text for one width on this machine."""
        from condyle.kernels.entries import module

        return module(self.program, width, host())

    def ir_digest(self, width: int) -> str:
        """Digest of the text, as it is stored beside the machine code."""
        return hashlib.sha256(self.text(width).encode()).hexdigest()

    def forget(self) -> None:
        """Free the instruction list, which takes a kilobyte per instruction; it can be made again."""
        self._program = None

    def code(self, width: int) -> compiler.Code:
        """Entry points for one width."""
        if self.interpreted:
            from condyle.kernels.interpreter import Interpreter

            return Interpreter(self.function).code(width)
        if self.key is None:
            return compiler.load(compiler.object_code(self.text(width), host()), width)
        place = object_key(self.key, width, host())
        with compiler.LOCK:
            if place not in _LOADED:
                _LOADED[place] = self._loaded(place, width)
            return _LOADED[place]

    def _loaded(self, place: bytes, width: int) -> compiler.Code:
        entry = store.load(place, "object")
        if entry is not None:
            return compiler.load(entry.payload, width)
        text = self.text(width)
        payload = compiler.object_code(text, host())
        digest = hashlib.sha256(text.encode()).hexdigest()
        store.store(place, "object", payload, {"ir_digest": digest, "name": self.name, "width": width})
        return compiler.load(payload, width)

    def picklable(self) -> tuple[Callable[[], Any], bytes | None, str]:
        """The arguments of `build`; a trace that cannot be pickled is replaced by its function."""
        try:
            pickle.dumps(self.trace)
        except (pickle.PicklingError, AttributeError, TypeError):
            return Traced(self.function), self.key, self.name
        return self.trace, self.key, self.name


class Traced:
    """A trace that has been made: returns its casadi.Function, and pickles as the serialized graph."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self) -> Any:
        return self.function

    def __reduce__(self) -> Any:
        return _restored, (self.function.serialize(),)


def _restored(text: str) -> Traced:
    import casadi

    return Traced(casadi.Function.deserialize(text))


def compiles() -> bool:
    """Whether kernels become machine code: CONDYLE_BACKEND is not `casadi` and llvmlite is there."""
    asked = os.environ.get("CONDYLE_BACKEND", "") or "llvm"
    if asked not in _BACKENDS:
        raise InputError(f"CONDYLE_BACKEND is {asked!r}{closest(asked, _BACKENDS)}")
    return asked == "llvm" and _llvm_found()


@cache
def _llvm_found() -> bool:
    if importlib.util.find_spec("llvmlite") is not None:
        return True
    warnings.warn(
        "llvmlite is not installed: kernels run on CasADi's interpreter", RuntimeWarning, stacklevel=5
    )
    return False
