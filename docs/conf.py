"""Sphinx configuration; `python tests/run.py docs` builds the pages into docs/_build/html."""

import re

from condyle import __version__

project = "Condyle"
author = "The Condyle authors"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_heading_anchors = 3
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 90

html_theme = "furo"
html_title = f"Condyle {__version__}"


def plain_text(app, what, name, obj, options, lines):
    """Docstrings are plain text with `code` in backticks: |D n|, e_, a*b and a wrapped "- b" are no markup.

    Paragraphs that begin with "- " are lists; those with indented lines keep their layout.
    """
    paragraphs = [paragraph.splitlines() for paragraph in "\n".join(lines).split("\n\n")]
    lines[:] = []
    for paragraph in paragraphs:
        first, *others = paragraph or [""]
        is_section = re.match(r"(Args|Returns|Raises|Yields):$", first)
        if first.startswith("- "):
            others = [line if line.startswith("- ") else f"  {line.strip()}" for line in others]
            lines += [*escape([first, *others]), ""]
        elif not is_section and any(line.startswith(" ") for line in paragraph):
            lines += ["::", "", *(f"    {line}" for line in paragraph), ""]
        else:
            others = [re.sub(r"^([-+])(?=\s)", r"\\\1", line) for line in others]
            lines += [*escape([first, *others]), ""]


def escape(lines):
    """Code as literals, and markup characters outside it made harmless."""
    parts = "\n".join(lines).split("`")
    parts[::2] = [re.sub(r"([|*]|_(?!\w))", r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [f"\\ ``{part}``\\ " for part in parts[1::2]]
    return "".join(parts).splitlines()


def setup(app):
    """Before napoleon (priority 500), which writes markup of its own."""
    app.connect("autodoc-process-docstring", plain_text, priority=400)
