"""The equations of all loops on the joint variables that no coupling determines, evaluated one pose at a
time.
"""

from __future__ import annotations

from functools import cached_property

import casadi as ca
import numpy as np

from condyle.compiled.solved import Solver
from condyle.dynamics.embedding import Embedding
from condyle.dynamics.linkage import linkage
from condyle.mechanism.loops import closures
from condyle.mechanism.roles import Roles
from condyle.mechanism.tree import Tree

_ITERATIONS = 80
_LONGEST = 0.5


class LoopEquations:
    """Of a tree whose loops are still open: its roles know couplings only. Final.

    `default`: joint variables s (ns) from which loops are assembled.
    """

    def __init__(self, tree: Tree, default: np.ndarray) -> None:
        self.tree, self.roles, self.default = tree, Roles(tree), default
        self.solver = Solver(self.roles, ())
        locked = set(tree.locked_speeds)
        #: Indices in the roles' speeds of those that may move.
        self.free = [k for k, speed in enumerate(self.roles.independent_speeds) if speed not in locked]
        self.default_residual = np.abs(self._values(default)[0]).max(initial=0.0)
        settled, closed = self._settled(default)
        if not closed or np.abs(settled - default).max(initial=0.0) > 1e-9:
            self.default_residual = np.inf

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{item.name}[{i}]" for item in closures(self.tree.model) for i in range(item.size))

    @cached_property
    def movable(self) -> np.ndarray:
        """1 for every joint variable that may move by itself."""
        found = np.zeros(len(self.tree.coordinates))
        locked = {self.tree.coordinates.index(self.tree.speeds[k]) for k in self.tree.locked_speeds}
        found[[k for k in self.roles.independent if k not in locked]] = 1
        return found

    @cached_property
    def _evaluate(self) -> ca.Function:
        """S -> residual of the loops (m), their matrix on the roles' speeds, rates of s (ns x those)."""
        s, v = ca.SX.sym("s", len(self.tree.coordinates)), ca.SX.sym("v", len(self.tree.speeds))
        embedding = Embedding(linkage(self.tree, s, v), self.roles, closures(self.tree.model), ())
        still = [
            ca.substitute(ca.densify(ca.SX(x)), v, ca.SX.zeros(v.numel())) for x in self._parts(embedding, v)
        ]
        return ca.Function("loops", [s], still)

    def _parts(self, embedding: Embedding, v: ca.SX) -> list[ca.SX]:
        E, _ = embedding.coupled(self.roles.couplings)
        E = E[:, list(self.roles.independent_speeds)]
        rates = ca.jacobian(embedding.linkage.qdot(), v)
        return [embedding.equations.residual, ca.mtimes(embedding.equations.G, E), ca.mtimes(rates, E)]

    def _values(self, s: np.ndarray) -> list[np.ndarray]:
        residual, A, rates = (np.array(value.full()) for value in self._evaluate.call([s]))
        return [residual[:, 0], A, rates]

    def matrix(self, s: np.ndarray) -> np.ndarray:
        """(m, speeds): gdot = A w at a pose."""
        return self._values(s)[1]

    def _settled(self, s: np.ndarray) -> tuple[np.ndarray, bool]:
        """All couplings solved."""
        if not self.roles.embeds:
            return s, True
        q, z = s[list(self.roles.independent)], s[list(self.roles.unknown)]
        closed = True
        if self.roles.unknown:
            z, closed = self.solver.settle(q, z)
        return np.array(self.solver.positions(q, z).full())[:, 0], closed

    def assembled(self, s: np.ndarray, held: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """(pose, residual (m)) after Gauss-Newton steps of the free speeds but `held` (tree indices), the
        shortest.
        """
        speeds = self.roles.independent_speeds
        moving = [k for k in self.free if speeds[k] not in held]
        s, _ = self._settled(np.array(s, dtype=float))
        s = self._normalised(s)
        residual, A, rates = self._values(s)
        for _ in range(_ITERATIONS):
            if not (np.isfinite(A).all() and np.isfinite(residual).all()):
                break
            if np.abs(residual).max(initial=0.0) < 1e-12 or not moving:
                break
            step = _shortest(A[:, moving], -residual)
            part = min(1.0, _LONGEST / max(np.abs(step).max(initial=0.0), 1e-300))
            s, _ = self._settled(self._normalised(s + part * rates[:, moving] @ step))
            residual, A, rates = self._values(s)
        return s, residual

    def _normalised(self, s: np.ndarray) -> np.ndarray:
        s = s.copy()
        for start in self.tree.unit_groups:
            s[start : start + 4] /= np.linalg.norm(s[start : start + 4])
        return s

    def parts(self, residual: np.ndarray) -> list[tuple[str, np.ndarray]]:
        """(name of the joint, its share of the residual) of every loop."""
        found, start = [], 0
        for item in closures(self.tree.model):
            found.append((item.name, residual[start : start + item.size]))
            start += item.size
        return found

    def moving_names(self, held: list) -> list[str]:
        """Joint variables that the loops see and that may move."""
        fixed = {k for item in held for k in item.speeds}
        A = self.matrix(self.default)
        speeds = self.roles.independent_speeds
        return [self.tree.speeds[speeds[k]] for k in self.free if A[:, k].any() and speeds[k] not in fixed]

    @cached_property
    def linear_speeds(self) -> list[bool]:
        """Whether each of the roles' speeds is a velocity: such as turn no body."""
        s = self.default
        q, v = ca.SX.sym("q", len(self.tree.coordinates)), ca.SX.sym("v", len(self.tree.speeds))
        found = np.zeros(len(self.tree.speeds), dtype=bool)
        for a in linkage(self.tree, q, v).articulations:
            H = ca.Function("H", [q, v], [ca.densify(a.H)])(s, 0).full() if a.H.numel() else np.zeros((6, 0))
            found[a.link.u] = ~(np.abs(np.array(H)[:3]).max(axis=0, initial=0.0) > 1e-12)
        return [bool(found[k]) for k in self.roles.independent_speeds]

    @cached_property
    def length(self) -> float:
        """A usual length of the mechanism [m]: how far bodies' joints lie from each other."""
        lengths = [
            float(np.linalg.norm(frame.translation))
            for joint in (*self.tree.model.joints, *self.tree.model.loops)
            for frame in (joint.forward.parent_frame, joint.forward.child_frame)
        ]
        lengths = [length for length in lengths if length > 0]
        return float(np.median(lengths)) if lengths else 1.0


def _shortest(A: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The shortest least-squares solution; rows and columns that are zero, the most of planar loops, left
    out.
    """
    rows, columns = np.flatnonzero(A.any(axis=1)), np.flatnonzero(A.any(axis=0))
    found = np.zeros(A.shape[1])
    if rows.size:
        found[columns] = np.linalg.lstsq(A[np.ix_(rows, columns)], right[rows], rcond=1e-10)[0]
    return found
