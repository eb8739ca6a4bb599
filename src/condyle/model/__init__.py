"""The description: bodies, frames, markers, the model and its checks."""

from condyle.model.body import Body, Frame, Marker
from condyle.model.model import Model

__all__ = ["Body", "Frame", "Marker", "Model"]
