"""Analyses: a mechanism and data in, a result with a status out. They never print, nor edit their inputs."""

from condyle.analyses.simulate import Simulation, StateEvent, simulate

__all__ = ["Simulation", "StateEvent", "simulate"]
