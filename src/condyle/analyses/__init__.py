"""Analyses: a mechanism and data in, a result with a status out. They never print, nor edit their inputs."""

from condyle.analyses.driver_dynamics import DriverDynamics, driver_dynamics
from condyle.analyses.kinematic_analysis import KinematicAnalysis, kinematic_analysis
from condyle.analyses.simulate import Simulation, StateEvent, simulate
from condyle.dynamics.stabilisation import Baumgarte, Projection, Unstabilised, VelocityProjection

__all__ = [
    "Baumgarte",
    "DriverDynamics",
    "KinematicAnalysis",
    "Projection",
    "Simulation",
    "StateEvent",
    "Unstabilised",
    "VelocityProjection",
    "driver_dynamics",
    "kinematic_analysis",
    "simulate",
]
