"""Whatever is fed to the reader, it ends in a model or in one of Condyle's errors."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from condyle.errors import CondyleError
from condyle.io import read_yaml
from condyle.model import Model

TEXTS = [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.yaml"))]
TOKENS = (
    *("condyle: 1\n", "name: m\n", "bodies:", "joints:", "markers:", "frames:", "constraints:"),
    *("\n  ", "\n    ", "a: ", "{", "}", "[", "]", ", ", ": ", "- ", "? ", "| ", "> ", "'", '"', "#", "<<: "),
    *("type: pin", "type: custom", "type: reversed", "joint: ", "parent: ground", "child: a", "mass: "),
    *("inertia: ", "[1, 1, 1, 0, 0, 0]", "coordinates: ", "default: ", "range: ", "x: ", "y: ", "rx: "),
    *("1", "-1", "1e400", ".nan", "1 deg", "5 mm", "null", "true", "&a ", "*a", "!!str ", "%YAML 1.1\n"),
    *("---\n", "...\n", "\t", "\x00", "\u2028", "\ufeff"),
)
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(source: str | bytes) -> None:
    """Only the two outcomes that are promised."""
    try:
        assert isinstance(read_yaml(source), Model)
    except CondyleError as error:
        assert str(error)


@settings(relaxed, max_examples=150)
@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbfcondyle: 1\n")
@example(b"\xff\xfe")
def test_bytes(data: bytes) -> None:
    """Any bytes."""
    read(data)


@settings(relaxed, max_examples=150)
@given(st.text(max_size=200))
@example("? ")
@example("\n%YAML 3.0\n---\n")
def test_text(text: str) -> None:
    """Any text, surrogates included."""
    read("condyle: 1\n" + text)


@settings(relaxed, max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=40))
def test_words_of_the_format(tokens: list[str]) -> None:
    """The format's own words in any order."""
    read("condyle: 1\nname: m\n" + "".join(tokens))


@settings(relaxed, max_examples=200)
@given(st.sampled_from(TEXTS), st.data())
def test_damaged_models(text: str, data: st.DataObject) -> None:
    """A good file with a piece cut out, doubled or replaced."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    filling = data.draw(
        st.sampled_from(("", "x", "0", "{}", "[]", "null", "-1", ".inf", "'", text[start:end] * 2))
    )
    read(text[:start] + filling + text[end:] + "\n")
