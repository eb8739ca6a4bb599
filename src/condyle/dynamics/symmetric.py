"""Small symmetric matrices: congruence and LDL' solves, each entry computed once."""

from __future__ import annotations

import casadi as ca


def congruence(R: ca.SX, S: ca.SX) -> ca.SX:
    """R S R' for symmetric S and a rotation R, computing the upper triangle only."""
    if is_sphere(S):
        return S
    plane = _plane(R)
    if plane is not None:
        return symmetrized(ca.triu(_turned_in_plane(R, S, *plane)))
    if S.sparsity().is_diag():
        # Rx, Ry the first two axes: S = z 1 + (x - z) Rx Rx' + (y - z) Ry Ry'.
        z, first, second = S[2, 2], R[:, 0], R[:, 1]
        scaled = ca.horzcat((S[0, 0] - z) * first, (S[1, 1] - z) * second)
        return ca.sparsify(symmetric_product(scaled, ca.horzcat(first, second).T) + z * ca.SX.eye(3))
    return symmetric_product(ca.mtimes(R, S), R.T)


def similarity(R: ca.SX, C: ca.SX) -> ca.SX:
    """R C R' for any C and a rotation R."""
    plane = _plane(R)
    return ca.mtimes(R, ca.mtimes(C, R.T)) if plane is None else _turned_in_plane(R, C, *plane)


def _plane(R: ca.SX) -> tuple[int, int] | None:
    """(row, column) of the entry +-1 of a rotation that maps an axis to an axis."""
    for i in range(3):
        columns = [j for j in range(3) if R.has_nz(i, j)]
        if len(columns) == 1 and sum(R.has_nz(k, columns[0]) for k in range(3)) == 1:
            entry = R[i, columns[0]]
            if entry.is_constant() and abs(float(entry)) == 1.0:
                return i, columns[0]
    return None


def _turned_in_plane(R: ca.SX, C: ca.SX, i: int, j: int) -> ca.SX:
    """R C R' for R that maps axis j to axis i, and turns or mirrors the plane across by [p, q; -D q, D p].

    With a, b; c, d in that plane and x = p (a - d) + q (b + c), what becomes of them is
    d + p x, D (b - q x); D (c - q x), a - p x: half the operations of two matrix products.
    """
    rows, columns = [k for k in range(3) if k != i], [k for k in range(3) if k != j]
    sign = float(R[i, j])
    determinant = sign * (-1) ** (i + j)
    (k, m), (r, s) = rows, columns
    p, q = R[k, r], R[k, s]
    x = p * (C[r, r] - C[s, s]) + q * (C[r, s] + C[s, r])
    turned = ca.SX(3, 3)
    turned[i, i] = C[j, j]
    turned[i, rows] = sign * ca.mtimes(C[j, columns], R[rows, columns].T)
    turned[rows, i] = sign * ca.mtimes(R[rows, columns], C[columns, j])
    turned[k, k] = C[s, s] + p * x
    turned[m, m] = C[r, r] - p * x
    turned[k, m] = determinant * (C[r, s] - q * x)
    turned[m, k] = determinant * (C[s, r] - q * x)
    return ca.sparsify(turned)


def is_sphere(S: ca.SX) -> bool:
    """Whether S is a constant multiple of the identity, which no rotation changes."""
    if not S.is_constant() or S.nnz() not in (0, 3) or not S.sparsity().is_diag():
        return False
    entries = ca.DM(ca.diag(S)).full()
    return bool((entries == entries[0]).all())


def symmetric_product(left: ca.SX, right: ca.SX) -> ca.SX:
    """left @ right when the product is known to be symmetric."""
    n = left.shape[0]
    upper = ca.mac(left, right, ca.SX(ca.Sparsity.upper(n), 0))
    # mac ignores the pattern of its third argument when a factor is the identity, hence triu.
    return symmetrized(ca.triu(upper))


def symmetrized(upper: ca.SX) -> ca.SX:
    """The symmetric matrix with this upper triangle."""
    return ca.sparsify(ca.triu2symm(upper))


class Factor:
    """LDL' of a symmetric positive definite matrix, in the order given; divisions once per pivot."""

    def __init__(self, D: ca.SX) -> None:
        n = D.shape[0]
        self.size = n
        self.pivots: list[ca.SX] = []
        self.inverse_pivots: list[ca.SX] = []
        self.columns: list[list[ca.SX]] = []  # columns[j][i - j - 1] = L[i, j]
        work = [[D[max(i, j), min(i, j)] for j in range(n)] for i in range(n)]
        for j in range(n):
            pivot = work[j][j]
            inverse = 1 / pivot
            below = [work[i][j] for i in range(j + 1, n)]
            column = [entry * inverse for entry in below]
            for a in range(j + 1, n):
                for b in range(j + 1, a + 1):
                    work[a][b] = work[a][b] - column[a - j - 1] * below[b - j - 1]
            self.pivots.append(pivot)
            self.inverse_pivots.append(inverse)
            self.columns.append(column)

    def solve(self, B: ca.SX) -> ca.SX:
        """D^-1 B, column by column."""
        solved = []
        for k in range(B.shape[1]):
            x = [B[i, k] for i in range(self.size)]
            for j in range(self.size):
                for i in range(j + 1, self.size):
                    x[i] = x[i] - self.columns[j][i - j - 1] * x[j]
            x = [x[j] * self.inverse_pivots[j] for j in range(self.size)]
            for j in reversed(range(self.size)):
                for i in range(j + 1, self.size):
                    x[j] = x[j] - self.columns[j][i - j - 1] * x[i]
            solved.append(ca.vertcat(*x))
        return ca.sparsify(ca.horzcat(*solved)) if solved else ca.SX(self.size, 0)
