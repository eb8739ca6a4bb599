"""The Dormand-Prince pair of orders 5 and 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from condyle.solve.control import Control
from condyle.solve.tableau import Tableau, fractions


@final
@dataclass(frozen=True)
class DormandPrince54:
    """Dormand and Prince's pair, 7 stages of which the last is the next step's first; fourth-order output.

    Dormand and Prince (1980), J. Comp. Appl. Math. 6(1), table 2; the interpolant is Shampine's (1986),
    Math. Comp. 46, which is continuous in the first derivative.
    """

    order: ClassVar[int] = 5
    family: ClassVar[str] = "explicit"
    control: ClassVar[Control | None] = Control(error_order=5, memory=0.04)
    tableau: ClassVar[Tableau] = Tableau(
        a=(
            fractions("1/5"),
            fractions("3/40 9/40"),
            fractions("44/45 -56/15 32/9"),
            fractions("19372/6561 -25360/2187 64448/6561 -212/729"),
            fractions("9017/3168 -355/33 46732/5247 49/176 -5103/18656"),
            fractions("35/384 0 500/1113 125/192 -2187/6784 11/84"),
        ),
        b=fractions("35/384 0 500/1113 125/192 -2187/6784 11/84 0"),
        errors=(fractions("71/57600 0 -71/16695 71/1920 -17253/339200 22/525 -1/40"),),
        dense=(
            fractions("1 -8048581381/2820520608 8663915743/2820520608 -12715105075/11282082432"),
            fractions("0"),
            fractions("0 131558114200/32700410799 -68118460800/10900136933 87487479700/32700410799"),
            fractions("0 -1754552775/470086768 14199869525/1410260304 -10690763975/1880347072"),
            fractions("0 127303824393/49829197408 -318862633887/49829197408 701980252875/199316789632"),
            fractions("0 -282668133/205662961 2019193451/616988883 -1453857185/822651844"),
            fractions("0 40617522/29380423 -110615467/29380423 69997945/29380423"),
        ),
    )
