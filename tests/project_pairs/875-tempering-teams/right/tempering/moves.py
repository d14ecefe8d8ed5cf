from abc import ABC, abstractmethod


class Move(ABC):
    @abstractmethod
    def propose(self, rng, x, temperature):
        ...


class GaussianMove(Move):
    """Displaces a random contiguous stretch of the chain."""

    def __init__(self, width=0.9, stretch=3):
        self.width = width
        self.stretch = stretch

    def propose(self, rng, x, temperature):
        new = x.copy()
        first = rng.integers(0, len(x) - self.stretch + 1)
        step = self.width * temperature ** 0.5
        new[first:first + self.stretch] += rng.normal(0.0, step, self.stretch)
        return new
