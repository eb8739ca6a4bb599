"""Large stack frames on Windows, where pages below the stack must be touched one after the other.

Compilers call `__chkstk` for that, a symbol of their run-time library that a process need not have. Instead
the exported functions first touch, page by page, all the stack that the functions behind them may use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PAGE = 4096
_ALLOCA = re.compile(r"alloca \[(\d+) x (?:<(\d+) x )?double")
_HEAD = re.compile(r"define void (@\w+)\(([^)]*)\)")


def commit_stack(functions: Iterable[str], entries: Iterable[str], width: int) -> list[str]:
    """The entries as internal functions, behind exported ones that touch the stack first."""
    entries = list(entries)
    texts = [*functions, *entries]
    arrays = sum(int(count) * int(lanes or 1) * 8 for text in texts for count, lanes in _ALLOCA.findall(text))
    # Besides its arrays a function may keep each of its values in its frame; calls are few levels deep.
    longest = max(text.count("\n") for text in texts)
    pages = -(-(arrays + 3 * 8 * width * longest) // _PAGE) + 4
    result = [
        "\n".join(
            [
                "define internal void @condyle_touch() #0 {",
                f"entry:\n  %stack = alloca [{pages * _PAGE} x i8], align 16\n  br label %loop",
                f"loop:\n  %k = phi i64 [{pages - 1}, %entry], [%next, %loop]",
                f"  %o = mul i64 %k, {_PAGE}\n  %p = getelementptr i8, ptr %stack, i64 %o",
                "  store volatile i8 0, ptr %p\n  %next = sub i64 %k, 1\n  %more = icmp sge i64 %next, 0",
                "  br i1 %more, label %loop, label %done\ndone:\n  ret void\n}",
            ]
        )
    ]
    for text in entries:
        match = _HEAD.match(text)
        assert match is not None
        name, parameters = match.groups()
        passed = ", ".join(re.sub(r"\breadonly ", "", item) for item in parameters.split(", "))
        result.append(text.replace(f"define void {name}(", f"define internal void {name}_deep(", 1))
        result.append(
            f"define void {name}({parameters}) #0 {{\n  call void @condyle_touch()\n"
            f"  call void {name}_deep({passed})\n  ret void\n}}"
        )
    return result
