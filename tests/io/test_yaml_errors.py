"""A bad model file ends in one error that says everything: file, line, column, path, what is allowed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from condyle.errors import InputError, ModelError
from condyle.io import read_yaml

HEAD = "condyle: 1\nname: m\n"
GOOD = HEAD + "bodies:\n  rod: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\njoints:\n"
PIN = GOOD + "  hinge: {type: pin, parent: ground, child: rod, coordinates: {angle: {default: 0}}}\n"


def errors(text: str | bytes) -> list[str]:
    """Every problem of a text as "line:column: path: what"."""
    with pytest.raises(ModelError) as caught:
        read_yaml(text)
    return [str(problem).split(":", 1)[1] for problem in caught.value.problems]


def test_the_text_that_the_others_break_is_good() -> None:
    """Without a defect there is no error."""
    assert read_yaml(PIN).joints[0].name == "hinge"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "mass: 1",
            "mass: 1 m",
            "4:9: bodies.rod.mass: '1 m' is a length; allowed: a plain number in SI units, or a mass",
        ),
        ("mass: 1", "mass: 1 kgg", "4:9: bodies.rod.mass: unknown unit 'kgg'; did you mean 'kg'?"),
        ("mass: 1", "mas: 1", "4:9: bodies.rod.mas: unknown key; did you mean 'mass'?"),
        ("mass: 1", "mass: true", "4:9: bodies.rod.mass: a number is needed, found true"),
        ("mass: 1", "mass: [1]", "4:9: bodies.rod.mass: a number is needed, found a list of 1"),
        ("mass: 1", "mass: .nan", "4:9: bodies.rod.mass: must be a finite number, found nan"),
        ("mass: 1", "mass: 1e999", "4:9: bodies.rod.mass: must be a finite number, found inf"),
        ("mass: 1", "mass: -1", "4:9: bodies.rod.mass: must not be negative, found -1.0 kg"),
        ("mass: 1", "mass: 1, mass: 2", "4:18: duplicate key 'mass', first at 4:9"),
        (
            "[1, 1, 1, 0, 0, 0]",
            "[1, 1, 1]",
            "4:18: bodies.rod.inertia: a list of 6 is needed, found a list of 3",
        ),
        (
            "[1, 1, 1, 0, 0, 0]",
            "[1, 1, 1, 0, 0, 0, 0]",
            "bodies.rod.inertia: a list of 6 is needed, found a list of 7",
        ),
        ("[1, 1, 1, 0, 0, 0]", "[1, 1, 3, 0, 0, 0]", "4:18: bodies.rod.inertia: principal moments 1, 1, 3"),
        ("[1, 1, 1, 0, 0, 0]", "[1, 1, 1 m, 0, 0, 0]", "4:34: bodies.rod.inertia[2]: '1 m' is a length"),
        ("type: pin", "type: pni", "6:11: joints.hinge.type: unknown type 'pni'; did you mean 'pin'?"),
        ("type: pin, ", "", "6:3: joints.hinge.type: is missing; allowed: 'ball'"),
        ("parent: ground, ", "", "6:3: joints.hinge.parent: is missing"),
        ("parent: ground", "parent: 1", "6:22: joints.hinge.parent: text is needed, found 1"),
        (
            "parent: ground",
            "parent: grond",
            "6:22: joints.hinge.parent: unknown body 'grond'; did you mean 'ground'?",
        ),
        (
            "default: 0",
            "default: 5 mm",
            "joints.hinge.coordinates.angle.default: '5 mm' does not fit this coordinate",
        ),
        ("default: 0", "range: [0 deg, 5 mm]", "joints.hinge.coordinates.angle.range: '5 mm' does not fit"),
        ("default: 0", "locked: 1", "coordinates.angle.locked: true or false is needed, found 1"),
        (
            "{angle: {default: 0}}",
            "{angel: {}}",
            "joints.hinge: no coordinate 'angel'; did you mean 'angle'?",
        ),
        ("bodies:", "bodys:", "3:1: bodys: unknown key; did you mean 'bodies'?"),
        ("rod: {", "a.b: {", "4:3: bodies.a.b: the name 'a.b' contains '.'"),
        (
            "condyle: 1",
            "condyle: 2",
            "1:10: condyle: format version 2, but this Condyle reads 1; the file was written",
        ),
        ("condyle: 1", "condyle: '1'", "1:10: condyle: format version '1'"),
        ("condyle: 1\n", "", "1:1: `condyle: 1`, the version of the format, is missing"),
        (
            "mass: 1",
            "mass: !!python/object:os.system 1",
            "tag 'tag:yaml.org,2002:python/object:os.system' is not",
        ),
        ("mass: 1", "mass: *x", "4:15: alias *x has no complete anchor before it"),
        ("mass: 1", "? [a] : 1", "4:11: a key must be a plain word"),
        ("mass: 1", "mass: {1", "not YAML"),
        ("name: m\n", "name: m\n---\n", "a second document begins"),
    ],
)
def test_a_defect_is_named_with_its_place(old: str, new: str, expected: str) -> None:
    """Each defect gives its position, its path, what was found and what is allowed."""
    assert old in PIN
    found = errors(PIN.replace(old, new, 1))
    assert any(expected in problem for problem in found), found


def test_all_problems_of_a_file_come_at_once_and_in_order() -> None:
    """Wrong words, wrong units, unknown names and impossible numbers do not hide each other."""
    text = PIN.replace("mass: 1", "mas: 1").replace("[1, 1, 1,", "[1 kg, 1, 1,").replace("ground", "grond")
    text += "  loop: {type: pin, parent: rod, child: foot, axis: [0, 0, 2]}\nmarkers:\n  m: {body: rodd}\n"
    found = errors(text)
    assert [problem.split(": ")[1] for problem in found] == [
        "bodies.rod.mas",
        "bodies.rod.inertia[0]",
        "joints.hinge.parent",
        "joints.loop",
        "joints.loop.child",
        "markers.m.body",
    ]
    assert found == sorted(found, key=lambda problem: [int(part) for part in problem.split(":")[:2]])


def test_what_is_broken_is_not_missed_elsewhere() -> None:
    """A body or joint that cannot be read does not make the names that refer to it wrong."""
    text = PIN.replace("{mass: 1, inertia: [1, 1, 1, 0, 0, 0]}", "3") + "markers:\n  m: {body: rod}\n"
    assert errors(text) == ["4:3: bodies.rod: a map is needed, found 3"]
    text = PIN.replace("pin", "pni") + "constraints:\n  c: {type: coupling, dependent: hinge.angle}\n"
    assert [problem.split(": ")[1] for problem in errors(text)] == ["joints.hinge.type"]


def test_the_file_is_named(tmp_path: Path) -> None:
    """A problem of a file begins with its path."""
    path = tmp_path / "leg.yaml"
    path.write_text(PIN.replace("pin", "pni"), encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        read_yaml(path)
    assert str(caught.value.problems[0]).startswith(f"{path}:6:11: joints.hinge.type: ")


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    """A missing file, a folder, bytes that are no text."""
    (tmp_path / "legs.yaml").write_bytes(b"condyle: 1\nname: \xff\n")
    with pytest.raises(InputError, match=r"did you mean 'legs.yaml'"):
        read_yaml(tmp_path / "leg.yaml")
    with pytest.raises(InputError, match="cannot read"):
        read_yaml(tmp_path)
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_yaml(tmp_path / "legs.yaml")
    with pytest.raises(InputError, match="cannot read"):
        read_yaml("a\0b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + "x: " + "[" * 5000 + "\n", "nested more than 40 levels"),
        (HEAD + "x: " + "{a: " * 5000 + "\n", "nested more than 40 levels"),
        (
            HEAD
            + "a0: &a0 [1, 1]\n"
            + "".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 30)),
            "values (aliases expanded)",
        ),
        (HEAD + "a: &a [*a]\n", "alias *a has no complete anchor before it"),
        (HEAD + "#" * 8_000_001, "characters; at most"),
    ],
    ids=["brackets", "braces", "bomb", "recursion", "size"],
)
def test_limits_end_a_hostile_text_quickly(text: str, expected: str) -> None:
    """Deep nesting, exponential aliases and endless texts are refused before they cost anything."""
    start = time.process_time()
    found = errors(text)
    assert expected in found[0]
    assert time.process_time() - start < 2.0


def test_aliases_within_bounds_are_copies() -> None:
    """An anchor may be used again; the result is as if it had been written out."""
    text = HEAD + "bodies:\n  a: &rod {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n  b: *rod\njoints:\n"
    text += "  1: {type: pin, parent: ground, child: a}\n  2: {type: pin, parent: a, child: b}\n"
    model = read_yaml(text)
    assert [body.mass for body in model.bodies] == [1.0, 1.0]
    assert [joint.name for joint in model.joints] == ["1", "2"]
