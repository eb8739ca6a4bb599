"""The order in which couplings can be evaluated, and why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from condyle.couplings.base import Coupling


def ordered(couplings: Iterable[Coupling]) -> tuple[Coupling, ...]:
    """Couplings after those whose dependents they read, otherwise as given; cyclic ones are left out."""
    waiting = list(couplings)
    found: list[Coupling] = []
    while waiting:
        open_names = {name for coupling in waiting for name in coupling.dependents}
        ready = [item for item in waiting if not open_names.intersection(item.independents)]
        if not ready:
            break
        found.append(ready[0])
        waiting.remove(ready[0])
    return tuple(found)


def cycle(couplings: Sequence[Coupling]) -> tuple[str, ...]:
    """Joint variables that depend on themselves, in order of dependence, the first again at the end; or
    ().
    """
    settled = ordered(couplings)
    waiting = [coupling for coupling in couplings if coupling not in settled]
    source = {name: coupling for coupling in waiting for name in coupling.dependents}
    if not source:
        return ()
    trail: list[str] = []
    name = next(iter(source))
    while name not in trail:
        trail.append(name)
        name = next(other for other in source[name].independents if other in source)
    return (*trail[trail.index(name) :], name)
