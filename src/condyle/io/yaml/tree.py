"""YAML text as a tree of plain values with positions: nothing is executed, included or expanded unbounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml import events as ev
from ruamel.yaml.error import MarkedYAMLError

from condyle.errors import Problem

LARGEST_TEXT = 8_000_000  # characters; a full-body model has about 1e5
LARGEST_TREE = 500_000  # values, after aliases are expanded
DEEPEST = 40

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_WORDS |= {
    word: value for value in (True, False) for word in (f"{value}", f"{value}".lower(), f"{value}".upper())
}
_WORDS |= {f"{sign}.{word}": float(f"{sign}inf") for sign in ("", "+", "-") for word in ("inf", "Inf", "INF")}
_WORDS |= {f".{word}": float("nan") for word in ("nan", "NaN", "NAN")}


@dataclass
class Node:
    """A value and where it begins (1-based). `value` is a scalar, a list of nodes or a dict of nodes."""

    line: int
    column: int
    value: Any
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    size: int = 1

    def plain(self) -> Any:
        """The value without positions; what an alias repeats is a copy."""
        if isinstance(self.value, dict):
            return {key: child.plain() for key, child in self.value.items()}
        if isinstance(self.value, list):
            return [child.plain() for child in self.value]
        return self.value

    def locate(self, path: tuple[str | int, ...]) -> tuple[int, int]:
        """Line and column of the key or entry at the path; of the last one that exists, where it does not."""
        node, position = self, (self.line, self.column)
        for part in path:
            if isinstance(node.value, dict) and part in node.value:
                position = node.keys[str(part)]
                node = node.value[part]
            elif isinstance(node.value, list) and isinstance(part, int) and part < len(node.value):
                node = node.value[part]
                position = (node.line, node.column)
            else:
                break
        return position

    def find(self, path: str) -> tuple[str | int, ...]:
        """The longest beginning of a dotted path (`joints.knee.axis[0]`, `joints.2`) that exists here."""
        node, rest, found = self, path, []
        while rest and isinstance(node.value, dict | list):
            keys = node.value if isinstance(node.value, dict) else range(len(node.value))
            spelled = {(f"[{key}]" if isinstance(key, int) else key): key for key in keys}
            if isinstance(node.value, dict):
                spelled = {**{str(index): key for index, key in enumerate(keys)}, **spelled}
            fitting = [text for text in spelled if text and _begins(rest, text)]
            if not fitting:
                break
            text = max(fitting, key=len)
            found.append(spelled[text])
            node, rest = node.value[spelled[text]], rest[len(text) :].removeprefix(".")
        return tuple(found)


def _begins(path: str, step: str) -> bool:
    return path.startswith(step) and path[len(step) : len(step) + 1] in ("", ".", "[")


class Unreadable(Exception):
    """The text ends being a tree here; `problem.where` is "line:column"."""

    def __init__(self, line: int, column: int, what: str) -> None:
        self.problem = Problem(f"{line}:{column}", what)
        super().__init__(what)


def parse(text: str) -> tuple[Node, list[Problem]]:
    """The document and its duplicate keys; raises Unreadable where it is no YAML or passes a limit."""
    if len(text) > LARGEST_TEXT:
        raise Unreadable(1, 1, f"the text has {len(text)} characters; at most {LARGEST_TEXT} are read")
    events = _events(text)
    builder = _Builder(events)
    root: Node | None = None
    for event in events:
        if isinstance(event, ev.DocumentStartEvent):
            if root is not None:
                raise Unreadable(*_position(event), "a second document begins; a file holds one model")
            root = builder.node(next(events), 0)
    return root or Node(1, 1, None), builder.problems


def _events(text: str) -> Iterator[Any]:
    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise Unreadable(line, column, f"not YAML: {what}") from None
    except Unreadable:
        raise
    except Exception as error:  # the parser is somebody else's; whatever it stumbles on is not a model
        detail = str(error).splitlines()
        raise Unreadable(1, 1, f"not YAML: {detail[0] if detail else type(error).__name__}") from None


def _position(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def resolve(text: str) -> Any:
    """Value of an unquoted scalar in YAML 1.2's core schema (`on` and `no` are words, 1e-3 is a number)."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text) and len(text) <= 300:
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


class _Builder:
    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.anchors: dict[str, Node] = {}
        self.problems: list[Problem] = []

    def node(self, event: Any, depth: int) -> Node:
        line, column = _position(event)
        if isinstance(event, ev.AliasEvent):
            if event.anchor not in self.anchors:
                raise Unreadable(line, column, f"alias *{event.anchor} has no complete anchor before it")
            return self.anchors[event.anchor]
        if depth > DEEPEST:
            raise Unreadable(line, column, f"nested more than {DEEPEST} levels deep")
        if isinstance(event, ev.ScalarEvent):
            result = Node(line, column, self.scalar(event, line, column))
        elif isinstance(event, ev.SequenceStartEvent):
            result = self.sequence(event, Node(line, column, []), depth)
        else:
            result = self.mapping(event, Node(line, column, {}), depth)
        if result.size > LARGEST_TREE:
            raise Unreadable(line, column, f"more than {LARGEST_TREE} values (aliases expanded)")
        if event.anchor is not None:
            self.anchors[event.anchor] = result
        return result

    def sequence(self, start: Any, result: Node, depth: int) -> Node:
        self.refuse_tag(start, "seq")
        while not isinstance(event := next(self.events), ev.SequenceEndEvent):
            child = self.node(event, depth + 1)
            result.value.append(child)
            result.size += child.size
            if result.size > LARGEST_TREE:
                break
        return result

    def mapping(self, start: Any, result: Node, depth: int) -> Node:
        self.refuse_tag(start, "map")
        while not isinstance(event := next(self.events), ev.MappingEndEvent):
            line, column = _position(event)
            if not isinstance(event, ev.ScalarEvent):
                raise Unreadable(line, column, "a key must be a plain word")
            self.refuse_tag(event, "str")
            key = event.value
            child = self.node(next(self.events), depth + 1)
            if key in result.keys:
                first = "{}:{}".format(*result.keys[key])
                self.problems.append(Problem(f"{line}:{column}", f"duplicate key {key!r}, first at {first}"))
            else:
                result.keys[key] = (line, column)
                result.value[key] = child
            result.size += child.size
            if result.size > LARGEST_TREE:
                break
        return result

    def scalar(self, event: Any, line: int, column: int) -> Any:
        self.refuse_tag(event, "str")
        text: str = event.value
        quoted = event.style is not None or event.tag is not None
        return text if quoted else resolve(text)

    def refuse_tag(self, event: Any, harmless: str) -> None:
        tag = event.tag
        if tag is not None and tag not in ("!", f"tag:yaml.org,2002:{harmless}"):
            raise Unreadable(
                *_position(event), f"tag {tag!r} is not accepted; write plain values without tags"
            )
