"""What the runs of the ankle paper cost: evaluations of the equations by joint, integrator and formulation;
a talus that has mass; the foot once it is at rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import condyle as cd
from condyle.analyses import Projection
from condyle.library.ankle import GYRATION, ankle
from condyle.solve import CVODES, DormandPrince54, DormandPrince853
from condyle.studies import ankle_absolute
from condyle.studies.ankle_runs import (
    CLASSICAL,
    COUNTED_RTOL,
    DURATION,
    MODES,
    MODIFIED,
    VALUES,
    name_of,
    values_of,
)
from condyle.studies.base import Claim

#: The paper's ode15s is a variable-order backward differentiation method, as CVODES is.
INTEGRATORS = {
    "DormandPrince853": DormandPrince853(),
    "DormandPrince54": DormandPrince54(),
    "CVODES_bdf": CVODES("bdf"),
}
ATOL = COUNTED_RTOL * 1e-2
TALUS_MASSES = (0.1, 0.01, 0.001)  # kg
#: Absolute tolerances with which a foot at rest is integrated: the usual one, and one that makes the error
#: control purely relative.
REST_ATOL = (ATOL, 1e-20)
REST_TIMES = (1.0, 2.0, 3.0, 4.0, 5.0)


def counted(mechanism: cd.Mechanism, duration: float, method: Any, **options: Any) -> dict[str, int]:
    """Steps and evaluations from rest at the start pose."""
    options = {"rtol": COUNTED_RTOL, "atol": ATOL, "max_steps": 1_000_000} | options
    found = cd.simulate(mechanism, *mechanism.default_state(), [0.0, duration], method=method, **options)
    assert found.status == cd.Status.OK, cd.Status(int(found.status))
    return {"steps": int(found.steps), "evaluations": int(found.evaluations)}


def of_all_runs(pins: cd.Mechanism) -> list[int]:
    """Evaluations for 5 s of the twelve runs, without outputs on the way."""
    q, u = (np.tile(part, (len(VALUES), 1)) for part in pins.default_state())
    method = INTEGRATORS["DormandPrince853"]
    options = {"method": method, "rtol": COUNTED_RTOL, "atol": ATOL, "parameters": VALUES}
    return [int(count) for count in cd.simulate(pins, q, u, [0.0, DURATION], **options).evaluations]


def by_integrator(pins: cd.Mechanism) -> dict[str, Any]:
    """Evaluations for 1 s (figure 18) and 5 s: integrator, formulation, run."""
    bodies = {CLASSICAL: ankle_absolute.classical(), MODIFIED: ankle_absolute.modified()}
    result: dict[str, Any] = {}
    for name, method in INTEGRATORS.items():
        result[name] = {"minimal": {}, "absolute": {}}
        for length in (CLASSICAL, MODIFIED):
            for mode in MODES:
                run, forms = name_of(length, mode), result[name]
                own = {"parameters": values_of(length, mode)}
                forms["minimal"][run] = _both(pins, method, **own)
                own = {"parameters": ankle_absolute.values_of(length, mode)}
                forms["absolute"][run] = _both(
                    bodies[length], method, stabilisation=ankle_absolute.STABILISATION, **own
                )
    return result


def _both(mechanism: cd.Mechanism, method: Any, **options: Any) -> dict[str, int]:
    return {f"{T:.0f}s": counted(mechanism, T, method, **options)["evaluations"] for T in (1.0, 5.0)}


def heavy_talus() -> dict[str, Any]:
    """A talus with mass as a body, against the link, for 5 s free: minimal coordinates; absolute coordinates
    with Baumgarte's stabilisation, as in the paper, also by backward differentiation, and with projection.
    """
    model = ankle(talus=TALUS_MASSES[0])
    promoted = ("talus.mass", *(f"talus.inertia[{k}]" for k in range(3)))
    pins = cd.compile(model, parameters=promoted)
    bodies = cd.compile(model, parameters=promoted, formulation="absolute")
    explicit, bdf = (INTEGRATORS[name] for name in ("DormandPrince853", "CVODES_bdf"))
    kept = {
        "absolute_baumgarte": (explicit, ankle_absolute.STABILISATION),
        "absolute_baumgarte_bdf": (bdf, ankle_absolute.STABILISATION),
        "absolute_projection": (explicit, Projection()),
    }
    result = {}
    for mass in (0.0, *TALUS_MASSES):
        values = (mass, *(mass * GYRATION**2,) * 3)
        row = {"minimal": counted(pins, 5.0, explicit, parameters=values)}
        for name, (method, how) in kept.items():
            row[name] = counted(bodies, 5.0, method, parameters=values, stabilisation=how)
        result["link" if not mass else f"{mass:g} kg"] = row
    return result


def at_rest(pins: cd.Mechanism) -> dict[str, Any]:
    """Evaluations for 1, 2, ... s of the damped classical run, by absolute tolerance."""
    values = values_of(CLASSICAL, "cone_damped")
    method = INTEGRATORS["DormandPrince853"]
    counts = {
        f"atol {atol:g}": [
            counted(pins, T, method, atol=atol, parameters=values)["evaluations"] for T in REST_TIMES
        ]
        for atol in REST_ATOL
    }
    return {"times": np.array(REST_TIMES)} | counts


def claims(figures: Mapping[str, Any]) -> tuple[Claim, ...]:
    """F13, F15 and F16."""
    one_second = {
        (integrator, form): [
            [runs[name_of(length, mode)]["1s"] for mode in MODES] for length in (CLASSICAL, MODIFIED)
        ]
        for integrator, forms in figures["evaluations_by_integrator"].items()
        for form, runs in forms.items()
    }
    bdf = one_second["CVODES_bdf", "absolute"]
    costlier = [
        modified > classical
        for rows in one_second.values()
        for classical, modified in zip(*rows, strict=True)
    ]
    talus = figures["talus_with_mass"]
    worst = max(
        row[form][what] / talus["link"][form][what]
        for name, row in talus.items()
        if name != "link"
        for form in row
        for what in ("steps", "evaluations")
    )
    usual, relative = (figures["evaluations_at_rest"][f"atol {atol:g}"] for atol in REST_ATOL)
    return (
        Claim(
            "F13 (fig. 18): a cone costs more, damping with it less: evaluations for 1 s by backward "
            "differentiation in absolute coordinates, as the paper's (free, cone, damped; both joints)",
            "free < cone > damped",
            bdf,
            all(free < cone > damped for free, cone, damped in bdf),
        ),
        Claim(
            "F13 (fig. 18): the modified joint is costlier, free, with cone and damped. NOT reproduced: "
            "the order depends on integrator and formulation; costlier in how many of how many cases",
            "costlier",
            [sum(costlier), len(costlier)],
            all(costlier),
        ),
        Claim(
            "F15 (section 3.2): a talus of 0.1, 0.01 or 0.001 kg as a body forces small steps: most steps or "
            "evaluations / those of the link. NOT reproduced: ideal joints leave the talus no fast motion of "
            "its own, and no force acts on it",
            "> 1",
            worst,
            worst > 1.1,
        ),
        Claim(
            "F16 (section 6): the integrator stalls once the damped foot is at rest: evaluations of the "
            f"fifth second / of the second, with atol {REST_ATOL[0]:g} and with purely relative error "
            "control. Only the latter stalls: it resolves the noise of vanishing speeds, as the paper says",
            "stalls",
            [_fifth_over_second(usual), _fifth_over_second(relative)],
            _fifth_over_second(usual) < 1 and _fifth_over_second(relative) > 10,
        ),
    )


def _fifth_over_second(evaluations: list[int]) -> float:
    return (evaluations[4] - evaluations[3]) / (evaluations[1] - evaluations[0])
