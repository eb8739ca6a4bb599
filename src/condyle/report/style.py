"""Colours and fonts of all pictures."""

from __future__ import annotations

INK = "#22303c"
FAINT = "#8a97a3"
BLUE = "#2463b5"
RED = "#c8443f"
GREEN = "#2a9466"
AMBER = "#d98a1f"
PURPLE = "#7a4fa3"

BONE = "#f4ead6"
BONE_EDGE = "#8d7a58"
FLESH = "#f1d9c7"
FLESH_EDGE = "#d3a98c"

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',Arial,sans-serif"

#: Style sheet inside every picture; sizes in pixels of the picture.
CSS = (
    f".card{{fill:#fff}}text{{font-family:{FONT};fill:{INK}}}"
    f".headline{{font-size:19px;font-weight:650}}.title{{font-size:13px;font-weight:600}}"
    f".label{{font-size:11.5px}}.tick{{font-size:10.5px;fill:#5b6874}}.note{{font-size:11px;fill:#5b6874}}"
    f".halo{{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}}"
    f".value{{font-size:12px;font-weight:600}}"
    f".grid{{stroke:#e6eaee;stroke-width:1}}.frame{{stroke:#9aa6b1;stroke-width:1}}"
    f".curve{{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}}"
    f".fine{{fill:none;stroke-width:1.2;stroke-linejoin:round}}"
    f".thin{{fill:none;stroke-width:.8;stroke-opacity:.35}}.dashed{{stroke-dasharray:5 4}}"
    f".cursor{{stroke:#fff;stroke-width:1.5}}"
)
