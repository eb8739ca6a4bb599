"""What can be independent: single joint variables, or whole joints whose speeds are not coordinate rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from condyle.errors import InputError, closest
from condyle.mechanism.roles import Roles
from condyle.mechanism.tree import Tree

#: Rows shorter than this part of the longest are zero but for round-off.
ROUND_OFF = 1e-12
_LOST = 1e-6  # part of a direction below which it adds nothing


@dataclass(frozen=True)
class Item:
    """Tree indices of coordinates and of speeds that are independent or dependent together, with their
    names.
    """

    coordinates: tuple[int, ...]
    speeds: tuple[int, ...]
    names: tuple[str, ...]
    locked: bool = False


def items_of(tree: Tree, roles: Roles) -> list[Item]:
    """Items of all joint variables that no coupling determines."""
    found: list[Item] = []
    locked = set(tree.locked_speeds)
    for link in tree.links:
        q, u = range(link.q.start, link.q.stop), range(link.u.start, link.u.stop)
        if link.joint.coordinate_names == link.joint.speed_names:
            pairs = [((i,), (k,)) for i, k in zip(q, u, strict=True) if i not in roles.coupled]
        else:
            pairs = [(tuple(q), tuple(u))] if u else []
        for i, k in pairs:
            found.append(Item(i, k, tuple(tree.coordinates[n] for n in i), all(n in locked for n in k)))
    return found


def named_items(tree: Tree, items: list[Item], names: tuple[str, ...]) -> list[Item]:
    """The items that a caller names, and the locked ones; an error says what is wrong with the names."""
    owner = {name: item for item in items for name in item.names}
    wrong: list[str] = []
    for name in names:
        if name not in owner:
            if name in tree.coordinates:
                wrong.append(f"{name!r} follows from a coupling")
            else:
                wrong.append(f"unknown joint variable {name!r}{closest(name, owner)}")
    wrong += [f"{name!r} is named twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    for item in items:
        absent = [name for name in item.names if name not in names]
        if absent and len(absent) < len(item.names):
            wrong.append(
                f"{', '.join(map(repr, absent))} belong to {item.names[0].rpartition('.')[0]!r} as well"
            )
    if wrong:
        raise InputError("independent: " + "; ".join(wrong))
    return [item for item in items if item.locked or item.names[0] in names]


def chosen_items(items: list[Item], A: np.ndarray, scale: np.ndarray, degrees: int) -> list[Item]:
    """The best conditioned independent set of a mechanism with loop equations A (rows x speeds of all items).

    Of the motions that the loops allow, with velocities in units of `scale`, the coordinate that moves most
    is taken, then the one that moves most while it stands still, and so on. Earlier ones win ties. What
    stands in no loop is independent anyway.
    """
    place, speeds = {}, []
    for item in items:
        for k in item.speeds:
            place[k] = len(speeds)
            speeds.append(k)
    chosen = [item for item in items if item.locked]
    moving = [item for item in items if not item.locked]
    columns = [place[k] for item in moving for k in item.speeds]
    motions = _motions(A[:, columns] * scale[columns], degrees)
    rows, start = {}, 0
    for item in moving:
        rows[item] = list(range(start, start + len(item.speeds)))
        start += len(item.speeds)
    outside = [item for item in moving if not A[:, [place[k] for k in item.speeds]].any()]
    left = degrees
    for item in outside:
        chosen.append(item)
        motions = _without(motions, rows[item])
        left -= len(item.speeds)
    waiting = [item for item in moving if item not in outside]
    while left > 0:
        sizes = {item: _freedom(motions[rows[item], :]) for item in waiting if len(item.speeds) <= left}
        if not sizes or max(sizes.values()) < _LOST:
            break
        best = next(item for item in waiting if sizes.get(item, 0.0) >= max(sizes.values()) * (1 - 1e-6))
        chosen.append(best)
        waiting.remove(best)
        motions = _without(motions, rows[best])
        left -= len(best.speeds)
    return [item for item in items if item in chosen]


def _motions(A: np.ndarray, degrees: int) -> np.ndarray:
    """Orthonormal basis (speeds x degrees) of the motions that the equations allow."""
    if not A.size:
        return np.eye(A.shape[1])
    sizes = np.linalg.norm(A, axis=1)
    said = sizes > ROUND_OFF * sizes.max()
    _, _, directions = np.linalg.svd(A[said] / sizes[said][:, None], full_matrices=True)
    return directions[directions.shape[0] - degrees :].T


def _freedom(rows: np.ndarray) -> float:
    """Smallest singular value: how freely the item moves in all its directions."""
    if len(rows) == 1:
        return float(np.linalg.norm(rows))
    return float(np.linalg.svd(rows, compute_uv=False)[-1]) if min(rows.shape) == rows.shape[0] else 0.0


def _without(motions: np.ndarray, rows: list[int]) -> np.ndarray:
    """The motions in which these speeds are zero."""
    held = motions[rows, :]
    _, values, directions = np.linalg.svd(held, full_matrices=True)
    rank = int((values > _LOST).sum())
    return motions @ directions[rank:].T
