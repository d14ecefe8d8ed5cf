from functools import partialmethod
from operator import methodcaller, sub
from typing import NamedTuple

import numpy as np


class Report(NamedTuple):
    x: np.ndarray
    iterations: int
    residual: float


class Stagnation(ArithmeticError):
    pass


class Solver:
    def __init__(self, operator, preconditioner):
        self.a, self.p, self.comm = operator, preconditioner, operator.comm

    def products(self, *pairs, finish=tuple):
        """Several inner products with one reduction."""
        mine = np.array([u @ v for u, v in pairs])
        total = np.empty_like(mine)
        self.comm.Allreduce(mine, total)
        return finish(total)

    one_product = partialmethod(products, finish=methodcaller("item"))

    def __call__(self, b, tolerance=1e-10, limit=500):
        x, r = np.zeros_like(b), b.copy()
        z = self.p @ r
        d = z.copy()
        rz, rr = self.products((r, z), (r, r))
        goal = tolerance ** 2 * rr
        for iteration in range(limit):
            if rr <= goal:
                return Report(x, iteration, float(rr) ** 0.5)
            q = self.a(d)
            if (curvature := self.one_product((d, q))) <= 0.0:
                raise Stagnation(f"curvature {curvature:g}")
            x += rz / curvature * d
            r -= rz / curvature * q
            z = self.p @ r
            old, (rz, rr) = rz, self.products((r, z), (r, r))
            d = z + rz / old * d
        raise Stagnation(f"no convergence in {limit} iterations")

    def defect(self, x, b):
        rest = sub(b, self.a(x))
        return self.one_product((rest, rest)) ** 0.5
