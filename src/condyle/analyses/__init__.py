"""Analyses: a mechanism and data in, a result with a status out. They never print, nor edit their inputs."""

from condyle.analyses.chain_regularity import ChainChoice, chain_regularity
from condyle.analyses.driver_dynamics import DriverDynamics, driver_dynamics
from condyle.analyses.driver_regularity import Choice, JointRegularity, driver_regularity
from condyle.analyses.kinematic_analysis import KinematicAnalysis, kinematic_analysis
from condyle.analyses.simulate import simulate
from condyle.analyses.simulation import Simulation, StateEvent, Switch
from condyle.dynamics.stabilisation import Baumgarte, Projection, Unstabilised, VelocityProjection

__all__ = [
    "Baumgarte",
    "ChainChoice",
    "Choice",
    "DriverDynamics",
    "JointRegularity",
    "KinematicAnalysis",
    "Projection",
    "Simulation",
    "StateEvent",
    "Switch",
    "Unstabilised",
    "VelocityProjection",
    "chain_regularity",
    "driver_dynamics",
    "driver_regularity",
    "kinematic_analysis",
    "simulate",
]
