"""Independent quartic oscillators, shared among the members of a team."""
import math
import random


class Oscillators:
    def __init__(self, count, seed):
        self.rng = random.Random(seed)
        self.x = [self.rng.uniform(-1, 1) for _ in range(count)]

    @staticmethod
    def potential(x):
        return (x * x - 1.0) ** 2

    def energy(self):
        return sum(map(self.potential, self.x))

    def sweep(self, beta):
        for i, x in enumerate(self.x):
            trial = x + self.rng.uniform(-0.8, 0.8)
            rise = self.potential(trial) - self.potential(x)
            if rise <= 0 or self.rng.random() < math.exp(-beta * rise):
                self.x[i] = trial
