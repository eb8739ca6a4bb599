"""Shipped models, each built with the public API: `condyle.library.knee()` and so on."""

from condyle.library.ankle import ankle
from condyle.library.knee import knee, knee_pin
from condyle.library.lao import lao
from condyle.library.shoulder import push_up, reaching

__all__ = ["ankle", "knee", "knee_pin", "lao", "push_up", "reaching"]
