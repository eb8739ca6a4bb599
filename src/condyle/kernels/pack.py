"""Row-major arrays to and from lanes: LLVM text of the transposes.

`pack` reads W rows of `size` elements and writes [element][lane]; `unpack` is its inverse. Both work on tiles
of W rows and C columns, C the largest power of two up to min(W, size); the last tile overlaps the one before.
"""

from __future__ import annotations

#: Doubles that a store past the caches writes.
_PART = 4


def tile_columns(width: int, size: int) -> int:
    """Columns of a tile for arrays of `size` elements per row."""
    columns = 1
    while columns * 2 <= min(width, size):
        columns *= 2
    return columns


def _shuffle(lines: list[str], name: str, kind: str, left: str, right: str, places: list[int]) -> str:
    mask = ", ".join(f"i32 {place}" for place in places)
    lines.append(f"  {name} = shufflevector {kind} {left}, {kind} {right}, <{len(places)} x i32> <{mask}>")
    return name


def _transpose(lines: list[str], rows: list[str], width: int) -> list[str]:
    """Transpose C x C blocks inside C vectors of W lanes (C a power of two, C <= W)."""
    kind, count, step = f"<{width} x double>", len(rows), 1
    while step < count:
        new = list(rows)
        for k in range(count):
            if k & step:
                continue
            low, high = rows[k], rows[k + step]
            first = [lane if not lane & step else width + lane - step for lane in range(width)]
            second = [lane + step if not lane & step else width + lane for lane in range(width)]
            new[k] = _shuffle(lines, f"%s{step}.{k}", kind, low, high, first)
            new[k + step] = _shuffle(lines, f"%s{step}.{k + step}", kind, low, high, second)
        rows, step = new, step * 2
    return rows


def _loop(name: str, parameters: str, columns: int, inside: list[str]) -> str:
    """A function that runs `inside` for columns %c = 0, C, 2C, ...; the last tile ends at %size."""
    return "\n".join(
        [
            f"define internal void @{name}({parameters}) #0 {{",
            f"entry:\n  %end = sub i64 %size, {columns}\n  br label %check",
            "check:\n  %k = phi i64 [0, %entry], [%next, %loop]\n  %more = icmp slt i64 %k, %size",
            "  br i1 %more, label %loop, label %done",
            "loop:\n  %over = icmp sgt i64 %k, %end\n  %c = select i1 %over, i64 %end, i64 %k",
            *inside,
            f"  %next = add i64 %k, {columns}\n  br label %check\ndone:\n  ret void\n}}",
        ]
    )


def pack(width: int, columns: int) -> str:
    """@pack_<W>_<C>(source, stride of rows in elements, destination, size)."""
    part, kind = f"<{columns} x double>", f"<{width} x double>"
    lines = []
    rows = []
    for row in range(width):
        lines.append(f"  %m{row} = mul i64 %stride, {row}\n  %a{row} = add i64 %m{row}, %c")
        lines.append(f"  %p{row} = getelementptr double, ptr %source, i64 %a{row}")
        lines.append(f"  %r{row} = load {part}, ptr %p{row}, align 8")
        rows.append(f"%r{row}")
    # Vector k becomes rows k, k + C, k + 2C, ... side by side; C x C blocks are then transposed in place.
    length = columns
    while length < width:
        kind_part = f"<{length} x double>"
        joined = []
        for number in range(len(rows) // 2):
            block, k = divmod(number, columns)
            left, right = rows[2 * block * columns + k], rows[(2 * block + 1) * columns + k]
            joined.append(
                _shuffle(lines, f"%j{length}.{number}", kind_part, left, right, list(range(2 * length)))
            )
        rows, length = joined, 2 * length
    rows = _transpose(lines, rows, width)
    for k, row in enumerate(rows):
        lines.append(f"  %f{k} = add i64 %c, {k}\n  %g{k} = mul i64 %f{k}, {width}")
        lines.append(
            f"  %h{k} = getelementptr double, ptr %lanes, i64 %g{k}\n  store {kind} {row}, ptr %h{k}, align 8"
        )
    parameters = "ptr noalias readonly %source, i64 %stride, ptr noalias %lanes, i64 %size"
    return _loop(f"pack_{width}_{columns}", parameters, columns, lines)


def streams(width: int, size: int) -> bool:
    """Whether rows of this size can be written past the caches: 32-byte parts of rows that stay aligned."""
    return size >= 32 and size % _PART == 0 and tile_columns(width, size) >= _PART


def unpack(width: int, columns: int, stream: bool) -> str:
    """@unpack_<W>_<C>(lanes, target, size): rows are `size` elements apart.

    @stream_<W>_<C> does the same past the caches, to rows aligned to 32 bytes: for results larger than the
    caches, whose lines would otherwise be read before they are overwritten.
    """
    part, kind = f"<{columns} x double>", f"<{width} x double>"
    lines = []
    rows = []
    for k in range(columns):
        lines.append(f"  %f{k} = add i64 %c, {k}\n  %g{k} = mul i64 %f{k}, {width}")
        lines.append(f"  %h{k} = getelementptr double, ptr %lanes, i64 %g{k}")
        lines.append(f"  %r{k} = load {kind}, ptr %h{k}, align 8")
        rows.append(f"%r{k}")
    rows = _transpose(lines, rows, width)
    for row in range(width):
        block, k = divmod(row, columns)
        value = rows[k]
        if columns < width:
            places = list(range(block * columns, (block + 1) * columns))
            value = _shuffle(lines, f"%e{row}", kind, rows[k], "poison", places)
        lines.append(f"  %m{row} = mul i64 %size, {row}\n  %a{row} = add i64 %m{row}, %c")
        lines.append(f"  %p{row} = getelementptr double, ptr %target, i64 %a{row}")
        if not stream:
            lines.append(f"  store {part} {value}, ptr %p{row}, align 8")
            continue
        for start in range(0, columns, _PART):
            name = f"%w{row}.{start}"
            _shuffle(lines, name, part, value, "poison", list(range(start, start + _PART)))
            lines.append(f"  %q{row}.{start} = getelementptr double, ptr %p{row}, i64 {start}")
            lines.append(
                f"  store <{_PART} x double> {name}, ptr %q{row}.{start}, align {8 * _PART}, !nontemporal !0"
            )
    parameters = "ptr noalias readonly %lanes, ptr noalias %target, i64 %size"
    return _loop(f"{'stream' if stream else 'unpack'}_{width}_{columns}", parameters, columns, lines)
