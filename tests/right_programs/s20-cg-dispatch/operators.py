"""Distributed operators on row blocks, assembled with + and scaled with *."""
from functools import singledispatchmethod

import numpy as np
from mpi4py import MPI


class Operator:
    kinds = {}

    def __init_subclass__(cls, kind, **kwargs):
        super().__init_subclass__(**kwargs)
        Operator.kinds[kind] = cls

    def __init__(self, comm, n, strength=1.0):
        self.comm, self.n, self.strength = comm, n, strength
        sizes = [n // comm.size + (r < n % comm.size) for r in range(comm.size)]
        self.first = sum(sizes[:comm.rank])
        self.sizes, self.here = sizes, slice(self.first, self.first + sizes[comm.rank])

    def __add__(self, other):
        return Sum(self.comm, self.n, parts=(self, other))

    def diagonal(self):
        raise NotImplementedError


class Laplace(Operator, kind="laplace"):
    def __call__(self, x):
        low, high = np.zeros(1), np.zeros(1)
        before = self.comm.rank - 1 if self.comm.rank else MPI.PROC_NULL
        after = self.comm.rank + 1 if self.comm.rank + 1 < self.comm.size else MPI.PROC_NULL
        requests = [self.comm.Irecv(low, before, tag=1), self.comm.Irecv(high, after, tag=2),
                    self.comm.Isend(x[-1:], after, tag=1), self.comm.Isend(x[:1], before, tag=2)]
        MPI.Request.Waitall(requests)
        padded = np.concatenate([low, x, high])
        return self.strength * (2.0 * x - padded[:-2] - padded[2:])

    def diagonal(self):
        return np.full(self.sizes[self.comm.rank], 2.0 * self.strength)


class Mass(Operator, kind="mass"):
    def diagonal(self):
        return self.strength * (1.0 + np.arange(self.n)[self.here] % 3)

    def __call__(self, x):
        return self.diagonal() * x


class RankOne(Operator, kind="rank-one"):
    """strength * u u^T with u_i = 1 / (i + 1)."""

    def u(self):
        return 1.0 / (np.arange(self.n)[self.here] + 1.0)

    def __call__(self, x):
        return self.strength * self.comm.allreduce(float(self.u() @ x)) * self.u()

    def diagonal(self):
        return self.strength * self.u() ** 2


class Sum(Operator, kind="sum"):
    def __init__(self, comm, n, parts):
        super().__init__(comm, n)
        self.parts = parts

    def __call__(self, x):
        return sum(part(x) for part in self.parts)

    def diagonal(self):
        return sum(part.diagonal() for part in self.parts)


class Preconditioner:
    """Jacobi where a diagonal is worth it, identity otherwise."""

    def __init__(self, operator):
        self.scale = self.inverse(operator)

    @singledispatchmethod
    def inverse(self, operator):
        return 1.0

    @inverse.register
    def _(self, operator: Sum):
        diagonal = operator.diagonal()
        low = operator.comm.allreduce(float(diagonal.min()), op=MPI.MIN)
        return 1.0 / np.maximum(diagonal, max(low, 1e-8))

    @inverse.register
    def _(self, operator: Mass):
        return 1.0 / operator.diagonal()

    def __matmul__(self, r):
        return self.scale * r
