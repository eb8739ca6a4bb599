"""Shipped models, each built with the public API: `condyle.library.knee()` and so on."""

from condyle.library.andrews import andrews
from condyle.library.ankle import ankle
from condyle.library.bricard import bricard
from condyle.library.four_bars import four_bars
from condyle.library.governor import governor
from condyle.library.human_26 import human_26
from condyle.library.knee import knee, knee_pin
from condyle.library.lao import lao
from condyle.library.pendulum import pendulum
from condyle.library.shoulder import push_up, reaching

__all__ = [
    "andrews",
    "ankle",
    "bricard",
    "four_bars",
    "governor",
    "human_26",
    "knee",
    "knee_pin",
    "lao",
    "pendulum",
    "push_up",
    "reaching",
]
