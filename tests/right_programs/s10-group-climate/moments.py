"""Count, mean and squared deviations, joined with Chan's formula."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass(frozen=True)
class Moments:
    n: int = 0
    mean: float = 0.0
    m2: float = 0.0

    @classmethod
    def of(cls, values):
        if not len(values):
            return cls()
        return cls(len(values), float(np.mean(values)), float(np.var(values) * len(values)))

    def __or__(self, other):
        if not (n := self.n + other.n):
            return self
        gap = other.mean - self.mean
        return Moments(n, self.mean + gap * other.n / n,
                       self.m2 + other.m2 + gap * gap * self.n * other.n / n)

    @property
    def std(self):
        return (self.m2 / self.n) ** 0.5


JOIN = MPI.Op.Create(lambda a, b, datatype=None: a | b, commute=False)
