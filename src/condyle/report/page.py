"""A page that is complete in one file: nothing is fetched, now or later."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from condyle.report.style import FONT, INK

STYLE = (
    f"body{{font:15px/1.5 {FONT};color:{INK};background:#eef1f4;margin:0}}"
    "main{max-width:1000px;margin:0 auto;padding:24px 16px 48px}h1{font-size:26px;margin:0 0 4px}"
    "p{margin:0 0 14px}svg{width:100%;height:auto;display:block;margin:0 0 12px;border-radius:10px;"
    "box-shadow:0 1px 4px #1b2a3326}table{border-collapse:collapse;background:#fff;border-radius:10px;"
    "box-shadow:0 1px 4px #1b2a3326;width:100%;margin:0 0 14px}th,td{padding:6px 14px;text-align:right;"
    "border-bottom:1px solid #e6eaee;font-variant-numeric:tabular-nums}"
    "th:first-child,td:first-child{text-align:left}"
    "tr:last-child td{border-bottom:0}.player{display:flex;gap:14px;align-items:center;background:#fff;"
    "border-radius:10px;box-shadow:0 1px 4px #1b2a3326;padding:10px 16px;margin:0 0 12px}"
    ".player input{flex:1;min-width:80px}.player output{font-variant-numeric:tabular-nums;min-width:17em}"
    "button,select{font:inherit;padding:3px 12px}.small{color:#5b6874;font-size:13px}"
)


def page(title: str, *content: str, script: str = "") -> str:
    """A whole HTML document; `content` is HTML."""
    body = f"<main>{''.join(content)}</main>" + (f"<script>{script}</script>" if script else "")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">'
        f"<style>{STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def paragraph(text: str, class_: str = "") -> str:
    """One paragraph of plain text."""
    return f'<p class="{class_}">{escape(text)}</p>' if class_ else f"<p>{escape(text)}</p>"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of plain text."""
    head = "".join(f"<th>{escape(item)}</th>" for item in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(item)}</td>" for item in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def embedded(name: str, json: str) -> str:
    """JSON that the page's script and other programs can read by its id."""
    safe = json.replace("<", "\\u003c")  # no text of the data can end the element
    return f'<script type="application/json" id="{escape(name, quote=True)}">{safe}</script>'
