"""The two functions that a kernel exports for one lane width.

    void condyle_lanes_<W>(void** arguments, int64 blocks)
    void condyle_rows_<W>(void** arguments, int64* strides, int64 first, int64 count, void* scratch)

`lanes` works on arrays laid out [block][element][lane]. `rows` works on rows first .. first + count - 1 of
arrays in C order. Stride k is the distance of input k's rows in elements (0: one row for all); outputs are
contiguous, and their "strides" are 1 where the result is to be written past the caches (aligned to 32 bytes).
For W > 1 `rows` needs count >= W; its last block overlaps the one before: every row takes the same path.
Its scratch holds W lanes of all elements of all arguments, aligned to 64 bytes.
"""

from __future__ import annotations

from condyle.kernels import elementary, libm
from condyle.kernels.emit import body, programs
from condyle.kernels.pack import pack, streams, tile_columns, unpack
from condyle.kernels.program import Program
from condyle.kernels.split import PIECE
from condyle.kernels.stack import commit_stack
from condyle.kernels.target import Target
from condyle.kernels.text import Names

#: How exported functions begin; each object is loaded by itself.
NAME = "condyle"


def _pointers(count: int) -> list[str]:
    lines = []
    for k in range(count):
        lines.append(f"  %s{k} = getelementptr ptr, ptr %arguments, i64 {k}")
        lines.append(f"  %a{k} = load ptr, ptr %s{k}, align 8")
    return lines


def _offset(lines: list[str], label: str, pointer: str, index: str, stride: str | int) -> str:
    lines.append(f"  %{label}.o = mul i64 {index}, {stride}")
    lines.append(f"  %{label} = getelementptr double, ptr {pointer}, i64 %{label}.o")
    return f"%{label}"


def _lanes(program: Program, width: int, name: str) -> str:
    """The loop over blocks of W lanes."""
    ports = (*program.inputs, *program.outputs)
    inside: list[str] = []
    pointers = [_offset(inside, f"b{k}", f"%a{k}", "%k", port.size * width) for k, port in enumerate(ports)]
    return "\n".join(
        [
            f"define void @{name}_lanes_{width}(ptr readonly %arguments, i64 %blocks) #0 {{",
            "entry:",
            *_pointers(len(ports)),
            "  %any = icmp sgt i64 %blocks, 0\n  br i1 %any, label %loop, label %done",
            "loop:\n  %k = phi i64 [0, %entry], [%next, %loop]",
            *inside,
            f"  call void @{name}_body_{width}({', '.join(f'ptr {p}' for p in pointers)})",
            "  %next = add i64 %k, 1\n  %more = icmp slt i64 %next, %blocks",
            "  br i1 %more, label %loop, label %done\ndone:\n  ret void\n}",
        ]
    )


def _strides(count: int) -> list[str]:
    lines = []
    for k in range(count):
        lines.append(f"  %t{k} = getelementptr i64, ptr %strides, i64 {k}")
        lines.append(f"  %d{k} = load i64, ptr %t{k}, align 8")
    return lines


def _rows_scalar(program: Program, name: str) -> str:
    """Rows one by one: the body reads and writes the arrays in place."""
    inputs, outputs = program.inputs, program.outputs
    inside: list[str] = []
    pointers = [_offset(inside, f"b{k}", f"%a{k}", "%r", f"%d{k}") for k in range(len(inputs))]
    for k, port in enumerate(outputs, len(inputs)):
        pointers.append(_offset(inside, f"b{k}", f"%a{k}", "%r", port.size))
    return "\n".join(
        [
            f"define void @{name}_rows_1"
            "(ptr readonly %arguments, ptr readonly %strides, i64 %first, i64 %count, ptr %scratch) #0 {",
            "entry:",
            *_pointers(len(inputs) + len(outputs)),
            *_strides(len(inputs)),
            "  %end = add i64 %first, %count",
            "  %any = icmp sgt i64 %count, 0\n  br i1 %any, label %loop, label %done",
            "loop:\n  %r = phi i64 [%first, %entry], [%next, %loop]",
            *inside,
            f"  call void @{name}_body_1({', '.join(f'ptr {p}' for p in pointers)})",
            "  %next = add i64 %r, 1\n  %more = icmp slt i64 %next, %end",
            "  br i1 %more, label %loop, label %done\ndone:\n  ret void\n}",
        ]
    )


def _rows(program: Program, width: int, name: str, tiles: set[tuple[str, int]]) -> str:
    """W rows at a time: transpose in, body, transpose out. An input with stride 0 is packed once."""
    inputs, outputs = program.inputs, program.outputs
    count = len(inputs) + len(outputs)
    before: list[str] = []
    inside: list[str] = []
    after: list[str] = []
    offset = 0
    for k, port in enumerate((*inputs, *outputs)):
        before.append(f"  %x{k} = getelementptr <{width} x double>, ptr %scratch, i64 {offset}")
        offset += port.size
        if port.size == 0:
            continue
        columns = tile_columns(width, port.size)
        tile = f"{width}_{columns}"
        if k < len(inputs):
            tiles.add(("pack", columns))
            place = _offset(inside, f"b{k}", f"%a{k}", "%b", f"%d{k}")
            before.append(f"  %z{k} = icmp eq i64 %d{k}, 0")
            inside.append(f"  %y{k} = and i1 %z{k}, %again")
            inside.append(f"  %n{k} = select i1 %y{k}, i64 0, i64 {port.size}")
            inside.append(f"  call void @pack_{tile}(ptr {place}, i64 %d{k}, ptr %x{k}, i64 %n{k})")
            continue
        tiles.add(("unpack", columns))
        writer = f"@unpack_{tile}"
        if streams(width, port.size):
            tiles.add(("stream", columns))
            before.append(f"  %z{k} = icmp ne i64 %d{k}, 0")
            before.append(f"  %u{k} = select i1 %z{k}, ptr @stream_{tile}, ptr {writer}")
            writer = f"%u{k}"
        place = _offset(after, f"b{k}", f"%a{k}", "%b", port.size)
        after.append(f"  call void {writer}(ptr %x{k}, ptr {place}, i64 {port.size})")
    return "\n".join(
        [
            f"define void @{name}_rows_{width}"
            "(ptr readonly %arguments, ptr readonly %strides, i64 %first, i64 %count, ptr %scratch) #0 {",
            "entry:",
            *_pointers(count),
            *_strides(count),
            *before,
            f"  %end = add i64 %first, %count\n  %latest = sub i64 %end, {width}",
            "  br label %loop",
            "loop:\n  %r = phi i64 [%first, %entry], [%next, %loop]",
            "  %over = icmp sgt i64 %r, %latest\n  %b = select i1 %over, i64 %latest, i64 %r",
            "  %again = icmp ne i64 %r, %first",
            *inside,
            f"  call void @{name}_body_{width}({', '.join(f'ptr %x{k}' for k in range(count))})",
            *after,
            f"  %next = add i64 %r, {width}\n  %more = icmp slt i64 %next, %end",
            "  br i1 %more, label %loop, label %done",
            # Other threads see what was written past the caches.
            "done:" + ("\n  fence seq_cst" if any(kind == "stream" for kind, _ in tiles) else ""),
            "  ret void\n}",
        ]
    )


def module(program: Program, width: int, target: Target, size: int = PIECE) -> str:
    """LLVM text of everything that one width of a kernel needs; `size` is the length of a piece."""
    names = Names(width, target.fused)
    parts: list[str] = []
    for number, one in enumerate(programs(program)):
        parts += body(names, one, f"{NAME}_{'body' if one is program else f'call{number}'}_{width}", size)
    tiles: set[tuple[str, int]] = set()
    entries = [_lanes(program, width, NAME)]
    entries.append(_rows_scalar(program, NAME) if width == 1 else _rows(program, width, NAME, tiles))
    for kind, columns in sorted(tiles):
        parts.append(pack(width, columns) if kind == "pack" else unpack(width, columns, kind == "stream"))
    parts += mathematics_text(names)
    parts += commit_stack(parts, entries, width) if target.windows else entries
    bits = 64 * width
    wide = f'"prefer-vector-width"="{bits}" "min-legal-vector-width"="{bits}"' if width > 1 else ""
    parts.append(f'attributes #0 = {{ noinline nounwind "no-stack-arg-probe" {wide} }}')
    parts.append("!0 = !{i32 1}")
    return "\n".join([f'target triple = "{target.triple}"', *names.declarations.values(), *parts]) + "\n"


def mathematics_text(names: Names) -> list[str]:
    """Definitions of the elementary functions that were used."""
    own = sorted(names.mathematics & elementary.NAMES)
    foreign = sorted(names.mathematics - elementary.NAMES)
    declared = {name: libm.declaration(name) for name in foreign} | elementary.declarations(own)
    defined = [libm.text(name, names.width) for name in foreign]
    return [*declared.values(), *defined, elementary.definitions(own, names.width)]
