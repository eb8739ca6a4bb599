"""What numba must be taught: to call a kernel by address. Imports numba; reached through `kernels.jit`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic


@intrinsic
def _call_kernel(typing_context, address, args_address, blocks):
    """The address stays a run-time value, so one compiled loop serves every kernel."""

    def generate(context, builder, signature, values):
        pointers = ir.IntType(8).as_pointer().as_pointer()
        function = ir.FunctionType(ir.VoidType(), [pointers, ir.IntType(64)])
        target = builder.inttoptr(values[0], function.as_pointer())
        builder.call(target, [builder.inttoptr(values[1], pointers), values[2]])
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, types.int64), generate


def call_type() -> types.Type:
    """The type under which numba knows the intrinsic."""
    context: Any = cpu_target.typing_context
    context.refresh()  # numba may be in the middle of typing the first loop
    return context.resolve_value_type(_call_kernel)
