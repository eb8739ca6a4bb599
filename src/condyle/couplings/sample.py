"""Pre-modelling: sweep the independents, solve, fit, and measure the fit [empirical, 3-3, first method]."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import pi, prod

import numpy as np

from condyle.couplings.forms import FORMS, MOST_OF_A_TABLE, MOST_POINTS, Form, Samples
from condyle.couplings.sampled import Sampled
from condyle.couplings.sweep import Box, Source, Sweep
from condyle.errors import InputError, closest
from condyle.functions import Function

#: Between two points of a fit it is checked at these fractions; at no more places than this altogether, with
#: one independent and with more.
FRACTIONS, MOST_CHECKS = (0.0, 0.21, 0.5, 0.79), (20_000, 5_000)
_QUANTITIES = ("value", "first derivative", "second derivative")


def sample(
    source: Source,
    form: str,
    box: Sequence[tuple[float, float]],
    *,
    tolerance: tuple[float, float, float],
    size: int | Sequence[int] | None = None,
    start: Sequence[float] | None = None,
    guess: Sequence[float] | None = None,
    name: str | None = None,
) -> Sampled:
    """A coupling whose functions are fits to the solutions of `source` over `box`.

    box: (lower, upper) of each independent; of a Fourier fit one whole period, over which a dependent may
    gain whole turns. form: "cubic" (not-a-knot ends), "natural cubic", "clamped cubic", "quintic"
    (natural ends), "clamped quintic", "chebyshev", "fourier"; what is clamped has the true derivatives at its
    ends. size: points, polynomials or harmonics per independent; without it
    they are doubled until the fit is good enough. tolerance: largest error of the value, of any first and of
    any second derivative, in the units of the dependents over those of the independents; `inf` asks for
    nothing. A fit that is worse is refused with its figures. start, guess: where the sweep begins (default:
    the middle of the box) and about what the dependents are there; they choose the branch.
    """
    kind = _form(form, source, box)
    box = [(float(low), float(high)) for low, high in box]
    middle = [0.5 * (low + high) for low, high in box]
    begin = np.array(middle if start is None else start, dtype=float)
    sweep = Sweep(source, box, (begin, None if guess is None else np.asarray(guess, float)))
    gains = _gains(sweep) if kind.periodic else np.zeros((len(source.dependents), len(box)))
    sizes = _sizes(size, kind, len(box))
    history: list[np.ndarray] = []
    for trial in sizes:
        functions = _fitted(sweep, kind, trial, gains)
        errors, worst = _errors(sweep, kind, trial, functions)
        history.append(errors.max(axis=0))
        if np.all(history[-1] <= tolerance):
            return Sampled(
                source.name if name is None else name,
                source.dependents,
                source.independents,
                tuple(functions),
                tuple((float(row[0]), float(row[1]), float(row[2])) for row in errors),
            )
        # Splines gain a fixed factor per doubling; series gain more every time.
        if kind.unit == "points" and _hopeless(history, tolerance, len(sizes) - len(history)):
            break
    raise InputError(_refusal(sweep, form, kind, trial, errors, worst, tolerance))


def _hopeless(history: list[np.ndarray], tolerance: Sequence[float], left: int) -> bool:
    """Whether some error falls too slowly to meet its bound by `left` further doublings."""
    if len(history) < 6:
        return False
    gain = np.maximum(history[-2] / history[-1], history[-3] / history[-2])
    return bool(np.any(history[-1] > np.asarray(tolerance) * np.maximum(gain, 1.0) ** (2 * left)))


def _form(form: str, source: Source, box: Sequence[tuple[float, float]]) -> Form:
    if form not in FORMS:
        raise InputError(f"unknown form {form!r}{closest(form, FORMS)}")
    kind, count = FORMS[form], len(source.independents)
    wrong = source.problems()
    if len(box) != count:
        listed = ", ".join(source.independents)
        wrong.append(f"box has {len(box)} intervals; one is needed for each of {listed}")
    for name, (low, high) in zip(source.independents, box, strict=False):
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            wrong.append(f"the interval of {name!r} must be finite and increasing, found {low} to {high}")
    if count > kind.inputs:
        others = ", ".join(repr(word) for word, other in FORMS.items() if other.inputs >= count)
        wrong.append(
            f"form {form!r} takes up to {kind.inputs} independents, found {count}; allowed: {others}"
        )
    if wrong:
        raise InputError(f"coupling {source.name!r} cannot be sampled: " + "; ".join(wrong))
    return kind


def _sizes(size: int | Sequence[int] | None, kind: Form, count: int) -> list[tuple[int, ...]]:
    """What to try, in turn."""
    if size is not None:
        given = (size,) * count if isinstance(size, int) else tuple(size)
        if len(given) != count or min(given) < kind.smallest:
            expected = f"{count} numbers of {kind.unit}, at least {kind.smallest} each"
            raise InputError(f"size is {size}; expected {expected}")
        return [given]
    found, trial = [], kind.smallest
    most = MOST_OF_A_TABLE if kind.unit == "points" else MOST_POINTS // 2**count
    while trial <= kind.largest and trial**count <= most:
        found.append((trial,) * count)
        trial = 2 * trial - 1 if kind.unit == "points" else 2 * trial
    return found


def _grid(axes: Sequence[np.ndarray]) -> np.ndarray:
    """(points, m), the last axis running first."""
    return np.stack([array.ravel() for array in np.meshgrid(*axes, indexing="ij")], axis=-1)


def _gains(sweep: Sweep) -> np.ndarray:
    """(n, m): what each dependent gains over a period, checked to be whole turns."""
    found = np.zeros((sweep.grid.shape[-1], len(sweep.box)))
    for k in range(len(sweep.box)):
        ends = np.take(sweep.grid, -1, axis=k) - np.take(sweep.grid, 0, axis=k)
        gains = ends.reshape(-1, ends.shape[-1])
        turns = 2 * pi * np.round(gains[0] / (2 * pi))
        off = np.abs(gains - turns).max(axis=0)
        if off.max() > 1e-9:
            worst = int(off.argmax())
            name, period = sweep.source.dependents[worst], sweep.box[k][1] - sweep.box[k][0]
            raise InputError(
                f"coupling {sweep.source.name!r} has no period {period:.9g} in "
                f"{sweep.source.independents[k]!r}: {name!r} changes by {gains[0, worst]:.9g} over it"
            )
        found[:, k] = turns
    return found


def _fitted(sweep: Sweep, kind: Form, sizes: tuple[int, ...], gains: np.ndarray) -> list[Function]:
    axes = [kind.abscissae(limits, size) for limits, size in zip(sweep.box, sizes, strict=True)]
    if prod(len(axis) for axis in axes) > MOST_POINTS:
        raise InputError(f"size {sizes} asks for more than {MOST_POINTS} points")
    places = _grid(axes)
    values = sweep.at(places)
    periods = np.array([high - low for low, high in sweep.box])
    slopes = gains / periods
    functions = []
    ends = _ends(sweep, places, values) if kind.clamped else np.zeros((len(slopes), 2, 2))
    for k, rates in enumerate(slopes):
        samples = (values[:, k] - places @ rates).reshape([len(axis) for axis in axes])
        functions.append(kind.fit(Samples(sweep.box, sizes, samples, rates, ends[k])))
    return functions


def _ends(sweep: Sweep, places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(n, 2, 2): derivatives of first and second order at the lower and the upper end of one independent."""
    q, s = places[[0, -1]], values[[0, -1]]
    slopes, bends = sweep.source.gradient(q, s), sweep.source.hessian(q, s)
    return np.stack([slopes[:, :, 0].T, bends[:, :, 0, 0].T], axis=1)


def _errors(
    sweep: Sweep, kind: Form, sizes: tuple[int, ...], functions: Sequence[Function]
) -> tuple[np.ndarray, np.ndarray]:
    """(largest errors (n, 3) of value and derivatives; where (3, m) each quantity's largest one is)."""
    places = _grid(_checks(sweep.box, kind, sizes))
    m, source = places.shape[1], sweep.source
    exact = sweep.at(places)
    slopes, bends = source.gradient(places, exact), source.hessian(places, exact)
    inputs = list(places.T)
    differences = np.zeros((3, len(places), len(functions)))
    for k, function in enumerate(functions):
        for orders in product(range(3), repeat=m):
            if sum(orders) > 2:
                continue
            axes = [axis for axis, order in enumerate(orders) for _ in range(order)]
            wanted = (exact, slopes, bends)[len(axes)][(slice(None), k, *axes)]
            found = function.evaluate(*inputs, order=orders)
            error = np.abs(found - wanted)
            differences[len(axes), :, k] = np.maximum(differences[len(axes), :, k], error)
    worst = differences.max(axis=2).argmax(axis=1)
    return differences.max(axis=1).T, places[worst]


def _checks(box: Box, kind: Form, sizes: tuple[int, ...]) -> list[np.ndarray]:
    """Coordinates at which a fit is checked: at its points and between them."""
    found = []
    most = int(MOST_CHECKS[len(box) > 1] ** (1.0 / len(box)))
    for limits, size in zip(box, sizes, strict=True):
        own = kind.abscissae(limits, size)
        ends = np.unique(np.concatenate([[limits[0]], own, [limits[1]]]))
        between = [ends[:-1] + fraction * np.diff(ends) for fraction in FRACTIONS]
        places = np.append(np.stack(between, axis=1).ravel(), ends[-1])
        if len(places) > most:
            # The ends are where splines are worst: they stay, and what lies between is thinned.
            kept = np.unique(np.round(np.linspace(0, len(places) - 1, most)).astype(int))
            places = places[kept]
        found.append(places)
    return found


def _refusal(
    sweep: Sweep,
    form: str,
    kind: Form,
    sizes: tuple[int, ...],
    errors: np.ndarray,
    worst: np.ndarray,
    tolerance: tuple[float, float, float],
) -> str:
    size = " x ".join(str(number) for number in sizes)
    found = []
    for order, quantity in enumerate(_QUANTITIES):
        error, allowed = errors[:, order].max(), tolerance[order]
        if not error <= allowed:
            owner = sweep.source.dependents[int(errors[:, order].argmax())]
            place = sweep.named(worst[order])
            found.append(f"{quantity} of {owner!r} is off by {error:.3g} at {place}, allowed {allowed:.3g}")
    listed = "; ".join(found)
    return (
        f"coupling {sweep.source.name!r}: the {form} fit with {size} {kind.unit} misses its bound: {listed}; "
        f"take more {kind.unit}, another form, a smaller box or a wider bound"
    )
