"""A small compiler for loops: native functions (`language`) to LLVM text (`translate`) to machine code."""
