"""Pre-modelling: sweep the independents, solve, fit, and measure the fit [empirical, 3-3, first method]."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, prod

import numpy as np

from condyle.couplings.fit_errors import FitErrors, grid, measured
from condyle.couplings.forms import FORMS, MOST_OF_A_TABLE, MOST_POINTS, Form, Samples
from condyle.couplings.sampled import Sampled
from condyle.couplings.sweep import Source, Sweep
from condyle.errors import InputError, closest
from condyle.functions import Function


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
    gain whole turns. form: "cubic" (not-a-knot ends), "natural cubic", "clamped cubic", "quintic" (natural
    ends), "clamped quintic", "chebyshev", "fourier"; what is clamped has the true derivatives at its ends.
    size: points, polynomials or harmonics per independent; without it they are doubled until the fit is good
    enough. tolerance: largest error of the value, of any first and of any second derivative, in the units of
    the dependents over those of the independents; `inf` asks for nothing. A fit that is worse is refused with
    its figures. start, guess: where the sweep begins (default: the middle of the box) and about what the
    dependents are there; they choose the branch.
    """
    kind = _form(form, source, box)
    _check_numbers(source, tolerance, start, guess)
    box = [(float(low), float(high)) for low, high in box]
    middle = [0.5 * (low + high) for low, high in box]
    begin = np.array(middle if start is None else start, dtype=float)
    sweep = Sweep(source, box, (begin, None if guess is None else np.asarray(guess, float)))
    gains = _gains(sweep) if kind.periodic else np.zeros((len(source.dependents), len(box)))
    sizes = _sizes(size, kind, len(box))
    history: list[np.ndarray] = []
    for trial in sizes:
        functions = _fitted(sweep, kind, trial, gains)
        errors = measured(sweep, kind, trial, functions)
        history.append(errors.largest)
        if errors.within(tolerance):
            names = (source.dependents, source.independents)
            return Sampled(name or source.name, *names, tuple(functions), errors.rows)
        # Splines gain a fixed factor per doubling; series gain more every time.
        if kind.unit == "points" and _hopeless(history, tolerance, len(sizes) - len(history)):
            break
    raise InputError(_refusal(sweep, form, kind, trial, errors, tolerance))


def _refusal(
    sweep: Sweep,
    form: str,
    kind: Form,
    sizes: tuple[int, ...],
    errors: FitErrors,
    tolerance: tuple[float, float, float],
) -> str:
    size = " x ".join(str(number) for number in sizes)
    listed = "; ".join(errors.misses(tolerance))
    return (
        f"coupling {sweep.source.name!r}: the {form} fit with {size} {kind.unit} misses its bound: {listed}; "
        f"take more {kind.unit}, another form, a smaller box or a wider bound"
    )


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


def _check_numbers(
    source: Source,
    tolerance: Sequence[float],
    start: Sequence[float] | None,
    guess: Sequence[float] | None,
) -> None:
    wrong = []
    if len(tolerance) != 3 or not all(bound >= 0 for bound in tolerance):
        wrong.append(f"tolerance must be three bounds (value, first, second derivative), found {tolerance}")
    for label, given, names in (("start", start, source.independents), ("guess", guess, source.dependents)):
        if given is not None and (len(given) != len(names) or not np.isfinite(given).all()):
            wrong.append(f"{label} must be a number for each of {', '.join(names)}, found {tuple(given)}")
    if wrong:
        raise InputError(f"coupling {source.name!r} cannot be sampled: " + "; ".join(wrong))


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
    places = grid(axes)
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
