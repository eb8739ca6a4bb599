"""erf for every double: an odd polynomial up to 1, one minus the exponential of a polynomial beyond."""

from __future__ import annotations

from condyle.kernels.elementary.definition import Definition
from condyle.kernels.elementary.exponential import clamped, exponential, power_of_two
from condyle.kernels.elementary.ir import Value, absolute, copysign, fma, polynomial, select

# Remez on |x| <= 1.00005, z = x^2, erf x = x + x N(z), relative error 2^-62.7
NEAR = (
    0.1283791670955126,
    -0.3761263890318375,
    0.11283791670954857,
    -0.026866170645072848,
    0.005223977624780394,
    -0.0008548326978713603,
    0.0001205533103580551,
    -1.4925593479417654e-05,
    1.646097235816848e-06,
    -1.6350020174578852e-07,
    1.465784471490079e-08,
    -1.1365525880053488e-09,
    5.945017886577126e-11,
)
# Remez on 0.9999 <= x <= 5.95, erf x = 1 - exp(-F(x - 1)), error of erf 2^-57.0; beyond, erf rounds to 1
FAR = (
    1.8496055099332482,
    2.6389675142347775,
    0.8431072563593248,
    0.04156109802676867,
    -0.010033825195902249,
    0.0019779013149386596,
    -0.00023731681300935732,
    -2.6295344358469438e-05,
    2.7197173364272286e-05,
    -9.669001610097545e-06,
    2.129649806831329e-06,
    -2.0319233263394772e-07,
    -5.8848509735127274e-08,
    3.370272997491381e-08,
    -8.599858301489198e-09,
    1.3330847229275732e-09,
    -1.2075758394130327e-10,
    4.930807358743269e-12,
)


def erf(x: Value) -> Value:
    """Odd; both forms are evaluated, each at an argument clamped into its range."""
    size = clamped(absolute(x), 0.0, 5.95)
    inner = size.compare("olt", 1.0)
    near = select(inner, size, 0.0)
    near = fma(near, polynomial(near * near, NEAR), near)
    value, n = exponential(-polynomial(select(inner, 0.0, size - 1.0), FAR))
    far = fma(-value, power_of_two(n), 1.0)
    return copysign(select(inner, near, far), x)


DEFINITIONS = (Definition("erf", erf, 1.5, "all x"),)
