"""Exudyn with the ankle: a kinematic tree of two hinges, and four bodies with joints as constraints."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, final

import numpy as np

from condyle.bench.peers.numpy_ankle import LOWER, PLACES, UPPER, TwoAngles
from condyle.library.ankle import (
    FOOT,
    GRAVITY,
    LEG,
    METATARSOPHALANGEAL,
    TALOCALCANEAL_AXIS,
    TALOCRURAL_AXIS,
    TOES,
)
from condyle.model import Body


@final
class ExudynAnkle:
    """Runs of both formulations; each returns the place of the foot's mass centre at the end [m]."""

    name = "exudyn"

    def __init__(self) -> None:
        import exudyn
        import exudyn.utilities

        self.module: Any = exudyn
        self.items: Any = exudyn.utilities

    def tree(self, duration: float, rtol: float) -> Callable[[], np.ndarray]:
        """Minimal coordinates, the talus a link without mass; its explicit method of order 5(4)."""
        with _old_names():
            return self._tree(duration, rtol)

    def bodies(self, duration: float, steps: int) -> Callable[[], np.ndarray]:
        """Euler parameters, joints as constraints at index 3, a talus without mass; generalised alpha."""
        with _old_names():
            return self._bodies(duration, steps)

    def _tree(self, duration: float, rtol: float) -> Callable[[], np.ndarray]:
        exu, items = self.module, self.items
        system = exu.SystemContainer().AddSystem()
        rigid = TwoAngles()
        first, second = (_z_along(np.array(axis)) for axis in (TALOCRURAL_AXIS, TALOCALCANEAL_AXIS))
        zeros = [0.0, 0.0]
        node = system.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=zeros,
                initialCoordinates=zeros,
                initialCoordinates_t=zeros,
                numberOfODE2Coordinates=2,
            )
        )
        tree = system.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exu.JointType.RevoluteZ] * 2,
                linkParents=[-1, 0],
                jointTransformations=exu.Matrix3DList([first, first.T @ second]),
                jointOffsets=exu.Vector3DList([UPPER, first.T @ (LOWER - UPPER)]),
                linkInertiasCOM=exu.Matrix3DList([np.zeros((3, 3)), second.T @ rigid.inertia @ second]),
                linkCOMs=exu.Vector3DList([np.zeros(3), second.T @ rigid.center]),
                linkMasses=[0.0, rigid.mass],
                gravity=list(GRAVITY),
            )
        )
        place = items.SensorKinematicTree(
            objectNumber=tree,
            linkNumber=1,
            localPosition=second.T @ rigid.foot,
            outputVariableType=exu.OutputVariableType.Position,
            writeToFile=False,
        )
        settings = self._settings(duration, 100)
        settings.timeIntegration.automaticStepSize = True
        settings.timeIntegration.relativeTolerance = rtol
        settings.timeIntegration.absoluteTolerance = rtol * 1e-2
        return self._run(system, system.AddSensor(place), settings, exu.DynamicSolverType.DOPRI5)

    def _bodies(self, duration: float, steps: int) -> Callable[[], np.ndarray]:
        exu, items = self.module, self.items
        system = exu.SystemContainer().AddSystem()
        ground = system.CreateGround()
        talus = Body("talus")
        created = {
            body.name: system.CreateRigidBody(
                inertia=items.RigidBodyInertia(mass=body.mass, inertiaTensor=np.diag(body.inertia[:3])),
                referencePosition=list(PLACES.get(body.name, UPPER)),
                gravity=list(GRAVITY),
            )
            for body in (LEG, talus, FOOT, TOES)
        }
        for pair, place in (((ground, "leg"), PLACES["leg"]), (("foot", "toes"), METATARSOPHALANGEAL)):
            system.CreateGenericJoint(
                bodyNumbers=[created.get(name, name) for name in pair],
                position=list(place),
                constrainedAxes=[1] * 6,
                useGlobalFrame=True,
            )
        for pair, place, axis in (
            (("leg", "talus"), UPPER, TALOCRURAL_AXIS),
            (("talus", "foot"), LOWER, TALOCALCANEAL_AXIS),
        ):
            system.CreateRevoluteJoint(
                bodyNumbers=[created[name] for name in pair],
                position=list(place),
                axis=list(axis),
                useGlobalFrame=True,
            )
        place = items.SensorBody(
            bodyNumber=created["foot"],
            outputVariableType=exu.OutputVariableType.Position,
            writeToFile=False,
        )
        settings = self._settings(duration, steps)
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
        settings.timeIntegration.newton.useModifiedNewton = True
        solver = exu.DynamicSolverType.GeneralizedAlpha
        return self._run(system, system.AddSensor(place), settings, solver)

    def _settings(self, duration: float, steps: int) -> Any:
        settings = self.module.SimulationSettings()
        settings.timeIntegration.endTime = duration
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 2 * duration
        return settings

    def _run(self, system: Any, sensor: Any, settings: Any, solver: Any) -> Callable[[], np.ndarray]:
        system.Assemble()

        def run() -> np.ndarray:
            if not system.SolveDynamic(settings, solverType=solver):
                raise RuntimeError("Exudyn's solver failed")
            return np.array(system.GetSensorValues(sensor))

        return run


@contextmanager
def _old_names() -> Iterator[None]:
    """Its newer versions have renamed settings and arguments, and accept the old names with a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def _z_along(axis: np.ndarray) -> np.ndarray:
    """A rotation (3, 3) whose third column is the unit vector."""
    x = np.cross((0.3, 1.0, 0.2), axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])
