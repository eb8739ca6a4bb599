"""Outlines of bones and flesh seen from the side, drawn by hand around the frames of their bodies."""

from __future__ import annotations

import numpy as np


def outline(text: str) -> np.ndarray:
    """Points (n, 2) [m] of a closed outline from "x,y" pairs [mm]: x forward, y up along the bone."""
    return 1e-3 * np.array([[float(value) for value in pair.split(",")] for pair in text.split()])


#: From the front of the condyles around the head to their back.
FEMUR_SHAFT = outline(
    """
    15,-421.5 27,-415 34,-402 34,-390 24,-358 19.5,-300 22.5,-200 20,-110 17,-66 21,-34 30,-10 28,14 10,28
    -12,25 -26,12 -36,-12 -35,-44 -21,-82 -12.5,-130 -11,-210 -13.5,-300 -18,-350 -24,-380
    """
)
TIBIA = outline(
    """
    -27,-30.2 -8,-30 12,-30 25,-34 29,-50 24,-78 16.5,-120 14,-220 11,-330 13,-385 22,-412 17,-424
    -12,-424 -19,-408 -10,-380 -9,-300 -12,-180 -17,-100 -29,-52
    """
)
FIBULA = outline(
    """
    -30,-52 -18,-56 -19.5,-90 -15,-240 -12,-380 -11,-440 -20,-445 -24,-410 -24,-240 -29,-90
    """
)
FOOT = outline(
    """
    22,-416 48,-434 90,-449 130,-463 178,-470 196,-477 192,-487 150,-489 118,-486 70,-470 30,-470
    -12,-484 -46,-488 -58,-474 -50,-452 -26,-438 -14,-428
    """
)
THIGH_FLESH = outline(
    """
    52,-420 58,-370 70,-280 82,-160 80,-40 40,50 -30,60 -80,0 -85,-110 -70,-250 -48,-350 -42,-405
    -20,-440 28,-448
    """
)
SHANK_FLESH = outline(
    """
    45,-10 46,-70 38,-140 30,-250 26,-350 34,-400 70,-432 130,-452 196,-464 206,-482 180,-497 90,-494
    20,-490 -40,-499 -66,-484 -60,-450 -36,-410 -36,-340 -62,-230 -70,-140 -52,-60 -44,-10 0,22
    """
)
