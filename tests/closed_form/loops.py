"""Loop equations G(f, q) = 0 with a known solution: f from Newton, derivatives from the
implicit-function theorem.
"""

from __future__ import annotations

import casadi as ca
import numpy as np


def random_loop(m: int, nq: int, seed: int) -> tuple[ca.SX, ca.SX, ca.SX, np.ndarray, np.ndarray]:
    """(G, f, q, numbers of f, numbers of q): m smooth equations that vanish there."""
    rng = np.random.default_rng(seed)
    f, q = ca.SX.sym("f", m), ca.SX.sym("q", nq)
    z = ca.vertcat(f, q)
    A, B, C = (ca.DM(rng.uniform(-1, 1, (m, m + nq))) for _ in range(3))
    G = A @ z + ca.sin(B @ z) + 0.5 * (C @ z) ** 2 + ca.exp(0.3 * (A @ z) * (B @ z)) + 2 * f
    at_f, at_q = rng.uniform(-0.5, 0.5, m), rng.uniform(-0.5, 0.5, nq)
    G = G - ca.Function("G", [f, q], [G])(at_f, at_q)
    return G, f, q, at_f, at_q


def by_implicit_function(G: ca.SX, f: ca.SX, q: ca.SX, at_f, at_q) -> tuple[np.ndarray, np.ndarray]:
    """(f_q (m x nq), f_qq (m x nq x nq)) by solving with dG/df."""
    m, nq = f.numel(), q.numel()
    z = ca.vertcat(f, q)
    seconds = [ca.densify(ca.hessian(G[i], z)[0]) for i in range(m)]
    parts = [ca.densify(ca.jacobian(G, f)), ca.densify(ca.jacobian(G, q)), *seconds]
    G_f, G_q, *H = [part.full() for part in ca.Function("p", [f, q], parts).call([at_f, at_q])]
    f_q = -np.linalg.solve(G_f, G_q)
    S = np.vstack([f_q, np.eye(nq)])
    right = np.array([S.T @ h @ S for h in H]).reshape(m, nq * nq)
    return f_q, -np.linalg.solve(G_f, right).reshape(m, nq, nq)
