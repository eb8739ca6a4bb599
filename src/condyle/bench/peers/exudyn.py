"""Exudyn with planar mechanisms of pins about z, loops included, and springs along lines.

Bodies are two-dimensional rigid bodies, every pin two constraints with multipliers, as its users model such a
mechanism. Node coordinates: position of the mass centre and angle, relative to the start.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from math import atan2
from typing import Any, final

import numpy as np

from condyle.compiled.mechanism import compile
from condyle.forces import LineSpring
from condyle.joints import Pin
from condyle.model import Model
from condyle.studies.rounds import clock

#: Its solvers for constrained systems: name -> (solver, spectral radius of generalised alpha).
SOLVERS: dict[str, tuple[str, float]] = {
    "generalised alpha, radius 0.8": ("GeneralizedAlpha", 0.8),
    "generalised alpha, radius 0.95": ("GeneralizedAlpha", 0.95),
    "trapezoidal, index 2": ("TrapezoidalIndex2", 1.0),
}


@final
class Exudyn:
    """One mechanism, driven by constant torques on its bodies, and the motion of one body's angle."""

    name = "exudyn"
    solvers = tuple(SOLVERS)

    def __init__(self, model: Model, torques: Mapping[str, float], watched: str) -> None:
        import exudyn
        import exudyn.itemInterface as items

        self.module: Any = exudyn
        self.items: Any = items
        self.model, self.torques, self.watched = model, torques, watched

    def motion(self, solver: str, steps: int, duration: float, outputs: int) -> tuple[float, np.ndarray]:
        """(processor seconds of its solver, (outputs + 1, 2) angle and speed of the body at even times)."""
        with warnings.catch_warnings():
            # Names of settings that its newer versions have renamed.
            warnings.simplefilter("ignore", DeprecationWarning)
            return self._motion(solver, steps, duration, outputs)

    def _motion(self, solver: str, steps: int, duration: float, outputs: int) -> tuple[float, np.ndarray]:
        container = self.module.SystemContainer()
        system = container.AddSystem()
        angle, sensors = self._assembled(system)
        kind, radius = SOLVERS[solver]
        settings = self.module.SimulationSettings()
        integration = settings.timeIntegration
        integration.numberOfSteps, integration.endTime, integration.verboseMode = steps, duration, 0
        integration.newton.useModifiedNewton = True
        integration.generalizedAlpha.spectralRadius = radius
        settings.linearSolverType = self.module.LinearSolverType.EXUdense  # the faster one at this size
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = duration / outputs
        begin = clock()
        system.SolveDynamic(settings, solverType=getattr(self.module.DynamicSolverType, kind))
        seconds = clock() - begin
        columns = [np.array(system.GetSensorStoredData(sensor)) for sensor in sensors]
        even = np.linspace(0.0, duration, outputs + 1)
        rows = np.stack([np.interp(even, column[:, 0], column[:, 3]) for column in columns], axis=-1)
        return seconds, rows + np.array([angle, 0.0])

    def _assembled(self, system: Any) -> tuple[float, list[int]]:
        """Add everything to an empty system; (angle of the watched body at the start, its sensors)."""
        make, model = self.items, self.model
        ground = system.AddObject(make.ObjectGround())
        tree = compile(replace(model, loops=()))
        poses = tree.body_poses(tree.default_state()[0])
        nodes, objects, angles = {}, {}, {}
        for body in model.bodies:
            R, p = poses[body.name]
            centre = p + R @ np.array(body.center_of_mass)
            angles[body.name] = atan2(R[1, 0], R[0, 0])
            place = [*centre[:2], angles[body.name]]
            nodes[body.name] = system.AddNode(make.NodeRigidBody2D(referenceCoordinates=place))
            objects[body.name] = system.AddObject(
                make.ObjectRigidBody2D(
                    physicsMass=body.mass, physicsInertia=body.inertia[2], nodeNumber=nodes[body.name]
                )
            )
        centres = {body.name: body.center_of_mass for body in model.bodies}

        def marker(body: str, point: Any) -> int:
            if body == model.ground:
                return system.AddMarker(make.MarkerBodyPosition(bodyNumber=ground, localPosition=list(point)))
            local = [float(a) - float(b) for a, b in zip(point, centres[body], strict=True)]
            return system.AddMarker(make.MarkerBodyPosition(bodyNumber=objects[body], localPosition=local))

        for joint in (*model.joints, *model.loops):
            if not isinstance(joint, Pin) or tuple(joint.axis) != (0.0, 0.0, 1.0):
                raise ValueError(f"{joint.name}: pins about z only, found {type(joint).__name__}")
            ends = [
                marker(joint.parent, joint.parent_frame.translation),
                marker(joint.child, joint.child_frame.translation),
            ]
            system.AddObject(make.ObjectJointRevolute2D(markerNumbers=ends))
        for force in model.forces:
            if not isinstance(force, LineSpring):
                raise ValueError(f"{force.name}: springs along lines only, found {type(force).__name__}")
            system.AddObject(
                make.ObjectConnectorSpringDamper(
                    markerNumbers=[marker(force.reference, force.point_a), marker(force.body, force.point_b)],
                    stiffness=force.stiffness,
                    damping=force.damping,
                    referenceLength=force.rest,
                )
            )
        for name, torque in self.torques.items():
            on = system.AddMarker(make.MarkerBodyRigid(bodyNumber=objects[name]))
            system.AddLoad(make.LoadTorqueVector(markerNumber=on, loadVector=[0.0, 0.0, torque]))
        node, variable = nodes[self.watched], self.module.OutputVariableType
        sensors = [
            system.AddSensor(make.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=wanted))
            for wanted in (variable.Coordinates, variable.Coordinates_t)
        ]
        system.Assemble()
        return angles[self.watched], sensors
