from dataclasses import dataclass, field
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Knapsack:
    values: tuple[int, ...]
    weights: tuple[int, ...]
    capacity: int

    @classmethod
    def random(cls, rng, items=14):
        weights = rng.integers(3, 30, items)
        values = weights + rng.integers(-2, 12, items)
        return cls(tuple(values.tolist()), tuple(weights.tolist()), int(weights.sum() // 2))

    @cached_property
    def arrays(self):
        return np.array(self.values), np.array(self.weights)

    def worth(self, picks):
        values, weights = self.arrays
        excess = max(0, int(weights @ picks) - self.capacity)
        return int(values @ picks) - 5 * excess

    def fits(self, picks):
        return int(self.arrays[1] @ picks) <= self.capacity

    def optimum(self):
        values, weights = self.arrays
        picks = (np.arange(2 ** len(values))[:, None] >> np.arange(len(values))) & 1
        return int((picks @ values)[picks @ weights <= self.capacity].max())


@dataclass(order=True)
class Best:
    worth: int = -10**9
    picks: tuple = field(default=(), compare=True)

    def offer(self, problem, picks):
        if problem.fits(picks):
            rival = Best(problem.worth(picks), tuple(picks.tolist()))
            self.worth, self.picks = max((self.worth, self.picks), (rival.worth, rival.picks))
