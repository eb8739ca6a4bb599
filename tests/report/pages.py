"""What every page and picture must be: well formed, complete in itself, with finite numbers."""

import re
from xml.etree import ElementTree

ADDRESS = re.compile(r"""(?:https?:)?//[^\s"'<>]+|url\((?!#)[^)]*\)|@import""")
NAMES_A_SPACE = "http://www.w3.org/2000/svg"  # an identifier that nothing fetches


def svg_root(text: str) -> ElementTree.Element:
    """The root element of a picture that is well formed and complete."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{{{NAMES_A_SPACE}}}svg"
    assert_complete(text)
    return root


def assert_complete(text: str) -> None:
    """Nothing is fetched, and no number is missing."""
    assert [found for found in ADDRESS.findall(text) if found != NAMES_A_SPACE] == []
    for tag in (
        '<link rel="stylesheet',
        "<img",
        "<iframe",
        "<script src",
        "<object",
        "fetch(",
        "XMLHttpRequest",
    ):
        assert tag not in text
    for name in re.findall(r'(?<=[ ",;(])(?:nan|NaN|inf|-inf|Infinity|None)(?=[ ",;)])', text):
        raise AssertionError(f"{name} in the picture")
    for target in re.findall(r"url\(#([^)]*)\)", text):
        assert f'id="{target}"' in text
