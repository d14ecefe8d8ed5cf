from __future__ import annotations

from dataclasses import dataclass, field
from heapq import nlargest

import numpy as np

TARGET = 40


@dataclass(order=True, frozen=True)
class Creature:
    fitness: int
    genes: tuple = field(repr=False)

    @classmethod
    def of(cls, genes):
        """Leading ones count double; all ones is the best there is."""
        genes = tuple(int(g) for g in genes)
        leading = genes.index(0) if 0 in genes else len(genes)
        return cls(sum(genes) + leading, genes)


class Population(list):
    def __init__(self, rng, size, length):
        self.rng, self.room = rng, size
        super().__init__(Creature.of(rng.integers(0, 2, length)) for _ in range(size))

    def tournament(self):
        picks = self.rng.integers(0, len(self), 3)
        return max(self[i] for i in picks)

    def child(self):
        a, b = self.tournament().genes, self.tournament().genes
        cut = int(self.rng.integers(1, len(a)))
        genes = np.array(a[:cut] + b[cut:])
        genes ^= self.rng.random(len(genes)) < 0.02
        return Creature.of(genes)

    def breed(self):
        self.extend([self.child() for _ in range(self.room)])
        self[:] = nlargest(self.room, self)

    def welcome(self, guests):
        self[:] = nlargest(self.room, [*self, *guests])

    @property
    def elite(self):
        return max(self)
