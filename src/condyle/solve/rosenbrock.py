"""The Rosenbrock method RODAS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from condyle.solve.control import Control
from condyle.solve.tableau import Row, fractions

_A5 = fractions("1.221224509226641 6.019134481288629 12.53708332932087 -0.6878860361058950")


@final
@dataclass(frozen=True)
class Rosenbrock:
    """RODAS: order 4(3), six linearly implicit stages, L-stable, stiffly accurate; third-order output.

    One matrix a step from the exact df/dy, and df/dt for equations that depend on time. Needs the system's
    jacobian. Hairer and Wanner, Solving Ordinary Differential Equations II, section VI.4; coefficients as in
    their RODAS, set 1, in the transformed variables of eq. IV.7.25.
    """

    order: ClassVar[int] = 4
    family: ClassVar[str] = "rosenbrock"
    implicit: ClassVar[bool] = True  # asks for df/dy
    control: ClassVar[Control | None] = Control(error_order=4, grow=6.0)
    diagonal: ClassVar[float] = 0.25
    a: ClassVar[tuple[Row, ...]] = (
        fractions("1.544"),
        fractions("0.9466785280815826 0.2557011698983284"),
        fractions("3.314825187068521 2.896124015972201 0.9986419139977817"),
        _A5,
        (*_A5, fractions("1")[0]),
    )
    b: ClassVar[Row] = (*_A5, *fractions("1 1"))
    error: ClassVar[Row] = fractions("0 0 0 0 0 1")
    couplings: ClassVar[tuple[Row, ...]] = (
        (),
        fractions("-5.6688"),
        fractions("-2.430093356833875 -0.2063599157091915"),
        fractions("-0.1073529058151375 -9.594562251023355 -20.47028614809616"),
        fractions("7.496443313967647 -10.24680431464352 -33.99990352819905 11.70890893206160"),
        fractions(
            "8.083246795921522 -7.981132988064893 -31.52159432874371 16.31930543123136 -6.058818238834054"
        ),
    )
    nodes: ClassVar[Row] = fractions("0 0.386 0.21 0.63 1 1")
    slopes: ClassVar[Row] = fractions("0.25 -0.1043 0.1035 -0.03620000000000023 0 0")
    #: Interpolant: (1 - t) y + t (y_new + (1 - t) (sum of row 0 + t * sum of row 1)).
    output: ClassVar[tuple[Row, Row]] = (
        fractions(
            "10.12623508344586 -7.487995877610167 -34.80091861555747 -7.992771707568823 1.025137723295662"
        ),
        fractions(
            "-0.6762803392801253 6.087714651680015 16.43084320892478 24.76722511418386 -6.594389125716872"
        ),
    )
