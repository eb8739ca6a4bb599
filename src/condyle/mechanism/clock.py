"""Time as a coordinate, for models with prescribed joint variables."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from condyle.couplings.prescribed import CLOCK, Prescribed
from condyle.errors import ModelError, Problem
from condyle.functions import Linear
from condyle.joints.base import Coordinate
from condyle.joints.custom import Custom
from condyle.model.body import Body
from condyle.model.model import Model

_NAME, _COORDINATE = CLOCK.split(".")


def with_clock(model: Model) -> Model:
    """The model and, where joint variables are prescribed, a massless body on ground whose coordinate is
    time.
    """
    if not any(isinstance(coupling, Prescribed) for coupling in model.couplings):
        return model
    taken = [f"bodies.{body.name}" for body in model.bodies if body.name == _NAME]
    taken += [f"joints.{joint.name}" for joint in model.joints if joint.name == _NAME]
    if taken:
        what = f"{_NAME!r} is the name of what carries time where joint variables are prescribed; rename it"
        raise ModelError(f"model {model.name!r}", [Problem(where, what) for where in taken])
    time = (Coordinate(_COORDINATE, locked=True),)
    content: dict[str, Any] = {field.name: getattr(model, field.name) for field in fields(Model)}
    content["bodies"] = (*model.bodies, Body(_NAME))
    content["joints"] = (*model.joints, Custom(_NAME, model.ground, _NAME, coordinates=time, tx=Linear()))
    return Model.unchecked(**content)
