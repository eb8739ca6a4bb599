"""The demo's page: the picture with a player, the figures, and the data."""

from __future__ import annotations

import numpy as np

from condyle import __version__
from condyle.io import json_text
from condyle.report import page as html
from condyle.report.demo.figure import picture, strip
from condyle.report.demo.measure import DURATION, Ensemble, Swing
from condyle.report.demo.panels import PLAYING, frames
from condyle.report.demo.show import ensemble_line, loop_line, rows

PLAYER = (
    '<div class="player"><button id="play">Pause</button>'
    '<input id="time" type="range" min="0" max="1" step="0.0005" value="0" aria-label="time">'
    '<select id="speed" aria-label="speed"><option value="0.1">0.1 ×</option>'
    '<option value="0.25">0.25 ×</option><option value="0.5" selected>0.5 ×</option>'
    '<option value="1">1 ×</option></select>'
    '<output id="now"></output></div>'
)
#: The pictures move by themselves; the script gives them one clock.
SCRIPT = """
const data = JSON.parse(document.getElementById("swing").textContent);
const pictures = [...document.querySelectorAll("svg")];
const [play, slider, speed, now] = ["play", "time", "speed", "now"].map(id => document.getElementById(id));
const end = data.time[data.time.length - 1];
let clock = 0, running = true, last = null;
slider.max = end;
pictures.forEach(picture => picture.pauseAnimations());
function show() {
  pictures.forEach(picture => picture.setCurrentTime(Math.min(clock, end - 1e-4) * data.seconds_per_second));
  const i = Math.min(data.time.length - 1, Math.round(clock / end * (data.time.length - 1)));
  const [angle, load] = [data.angle_deg[i].toFixed(1), data.load[i].toFixed(0)];
  now.textContent = `${clock.toFixed(2)} s   knee ${angle}°   load ${load} N`;
}
function step(stamp) {
  if (running && last !== null) {
    clock = (clock + (stamp - last) / 1000 * Number(speed.value)) % end;
    slider.value = clock;
    show();
  }
  last = stamp;
  requestAnimationFrame(step);
}
play.onclick = () => { running = !running; play.textContent = running ? "Pause" : "Play"; };
slider.oninput = () => { clock = Number(slider.value); running = false; play.textContent = "Play"; show(); };
show();
requestAnimationFrame(step);
"""


def render(knee: Swing, pin: Swing, ensemble: Ensemble) -> str:
    """The whole page."""
    data = {
        "schema_version": 1,
        "seconds_per_second": PLAYING / DURATION,
        "time": frames(knee.motion.times),
        "angle_deg": frames(np.degrees(knee.angle)),
        "load": frames(np.linalg.norm(knee.force, axis=1)),
    }
    return html.page(
        "Condyle: a leg swings on its knee",
        "<h1>From a description to machine code</h1>",
        html.paragraph(
            "Shank and foot on an empirical knee: one coordinate, the tibia's translations are splines of "
            "measured data. Condyle derived the equations as symbols, compiled them into machine code and "
            "simulated them on this machine."
        ),
        picture(knee, pin, ensemble),
        PLAYER,
        strip(knee, pin, ensemble),
        html.table(("measured in this run", "empirical knee", "pin knee"), rows(knee, pin)),
        html.paragraph(f"{ensemble_line(ensemble)} {loop_line(knee)}"),
        html.paragraph(f"Condyle {__version__}. SI units, radians inside, degrees shown.", "small"),
        html.embedded("swing", json_text(data, indent=None)),
        script=SCRIPT,
    )
