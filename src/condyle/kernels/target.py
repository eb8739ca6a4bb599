"""What the machine code is made for: triple, CPU, features, lane width and code generation options."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property


@dataclass(frozen=True)
class Target:
    """A machine as LLVM names it; `features` is LLVM's list (+avx2,-avx512f,...)."""

    triple: str
    cpu: str
    features: str
    jit: bool = True

    @cached_property
    def lanes(self) -> int:
        """Doubles in the widest vector register."""
        enabled = set(self.features.split(","))
        if "+avx512f" in enabled:
            return 8
        return 4 if "+avx2" in enabled else 2

    @property
    def fused(self) -> bool:
        """Whether a fused multiply-add is one instruction."""
        return not self.triple.startswith(("x86", "i686", "amd64")) or "+fma" in self.features.split(",")

    @property
    def windows(self) -> bool:
        """Whether stack pages must be touched in order."""
        return "windows" in self.triple or "msvc" in self.triple


@cache
def host() -> Target:
    """The machine we run on."""
    import llvmlite.binding as llvm

    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
