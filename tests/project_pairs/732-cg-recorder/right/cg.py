"""Conjugate gradients."""
import numpy as np

from blas import dot, laplace


class Solver:
    def __init__(self, comm, notify, tol=1e-10):
        self.comm = comm
        self.notify = notify
        self.tol = tol

    def solve(self, b, limit=200):
        x = np.zeros_like(b)
        r = b.copy()
        p = r.copy()
        rho = dot(r, r, self.comm)
        for step in range(limit):
            q = laplace(p, self.comm)
            alpha = rho / dot(p, q, self.comm)
            x += alpha * p
            r -= alpha * q
            rho, before = dot(r, r, self.comm), rho
            self.notify(step, rho ** 0.5)
            if rho < self.tol ** 2:
                break
            p = r + rho / before * p
        return x, self.misfit(x, b)

    def misfit(self, x, b):
        gap = b - laplace(x, self.comm)
        return dot(gap, gap, self.comm) ** 0.5
