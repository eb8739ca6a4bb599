"""Numbers of an independent implementation of the ankle's runs: another program, two formulations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from condyle.studies.base import Claim

#: Mass centre of the main foot [m] and, without a cone, both joint angles [deg]; with one, T + V [J].
PLACES = {
    ("l0.0000_free", "1s"): (0.036049927, -0.001830584, 0.047495010),
    ("l0.0000_free", "5s"): (0.014270419, -0.003827327, 0.059256813),
    ("l0.0360_free", "1s"): (0.037493078, 0.006899133, 0.047425608),
    ("l0.0360_free", "5s"): (0.015938481, 0.011972654, 0.058366425),
    ("l0.0417_free", "1s"): (0.038474995, 0.007854693, 0.047018443),
    ("l0.0417_free", "5s"): (0.018685679, 0.013057748, 0.056150442),
    ("l0.0474_free", "1s"): (0.039570703, 0.008443644, 0.046527854),
    ("l0.0474_free", "5s"): (0.023129355, 0.014469688, 0.053030808),
    ("l0.0000_cone", "1s"): (0.084670475, 0.007851878, 0.053018400),
    ("l0.0417_cone", "1s"): (0.084629261, 0.008437456, 0.051668009),
    ("l0.0000_cone_damped", "1s"): (0.053949350, -0.000188156, 0.044748980),
    ("l0.0000_cone_damped", "5s"): (0.053929483, 0.000098335, 0.044748921),
    ("l0.0417_cone_damped", "1s"): (0.053457836, 0.005286883, 0.045026880),
    ("l0.0417_cone_damped", "5s"): (0.054243955, 0.007928922, 0.044681964),
}
ANGLES = {
    ("l0.0000_free", "1s"): (55.664312, -8.807930),
    ("l0.0000_free", "5s"): (79.928289, -11.491263),
    ("l0.0360_free", "1s"): (50.942204, 0.137998),
    ("l0.0360_free", "5s"): (71.131102, 8.170005),
    ("l0.0417_free", "1s"): (49.608125, 2.329545),
    ("l0.0417_free", "5s"): (67.533248, 11.677455),
    ("l0.0474_free", "1s"): (48.303923, 4.394872),
    ("l0.0474_free", "5s"): (62.136402, 17.310505),
}
ENERGIES = {
    ("l0.0000_cone", "1s"): 0.73595664,
    ("l0.0417_cone", "1s"): 0.73644413,
    ("l0.0000_cone_damped", "1s"): 0.43669028,
    ("l0.0000_cone_damped", "5s"): 0.43668370,
    ("l0.0417_cone_damped", "1s"): 0.44091444,
    ("l0.0417_cone_damped", "5s"): 0.43814003,
}
CONTACTS = {
    "l0.0000_cone": 0.168355,
    "l0.0360_cone": 0.171180,
    "l0.0417_cone": 0.171481,
    "l0.0474_cone": 0.171655,
    "l0.0000_cone_damped": 0.836913,
    "l0.0360_cone_damped": 0.887450,
    "l0.0417_cone_damped": 0.893697,
    "l0.0474_cone_damped": 0.899152,
}


def departures(figures: Mapping[str, Any]) -> dict[str, float]:
    """Largest differences of a study's figures from these numbers; places with and without undamped cone."""

    def largest(
        table: Mapping[tuple[str, str], Any], key: str, chosen: Callable[[str], bool] = lambda name: True
    ) -> float:
        differences = [
            np.abs(np.asarray(figures[run][key.format(time)]) - value).max()
            for (run, time), value in table.items()
            if chosen(run)
        ]
        return float(max(differences))

    def undamped(name: str) -> bool:
        return name.endswith("_cone")

    contacts = [abs(figures[run]["first_contact_s"] - time) for run, time in CONTACTS.items()]
    return {
        "com_m": largest(PLACES, "com_{}", lambda name: not undamped(name)),
        "com_cone_m": largest(PLACES, "com_{}", undamped),
        "angles_deg": largest(ANGLES, "angles_{}_deg"),
        "mechanical_energy_J": largest(ENERGIES, "mechanical_energy_{}"),
        "first_contact_s": float(max(contacts)),
    }


def claims(figures: Mapping[str, Any]) -> tuple[Claim, ...]:
    """Formulations among each other, and with an independent implementation."""
    apart, cone = figures["formulation_difference_m"], figures["formulation_difference_cone_m"]
    found = figures["departure_from_reference"]
    printed = {"com_m": 1e-9, "com_cone_m": 1e-9, "angles_deg": 1e-6, "mechanical_energy_J": 1e-8}
    digits = max(found[name] / digit for name, digit in (printed | {"first_contact_s": 1e-6}).items())
    return (
        Claim("both formulations, free and damped, 5 s [m]", 0.0, apart, apart < 1e-8),
        Claim("both formulations, undamped cone, 5 s [m]", 0.0, cone, cone < 1e-6),
        Claim(
            "both formulations, free toes, 5 s [m]",
            0.0,
            figures["free_toes"]["formulation_difference_m"],
            figures["free_toes"]["formulation_difference_m"] < 1e-8,
        ),
        Claim(
            "an independent implementation: places, angles, energies, contacts (units of its last digit)",
            0.5,
            digits,
            digits <= 0.6,
        ),
    )
