"""Shipped models, each built with the public API: `condyle.library.knee()` and so on."""

from condyle.library.knee import knee, knee_pin

__all__ = ["knee", "knee_pin"]
