"""One island: a population that evolves by differential evolution."""
import numpy as np


def rosenbrock(x):
    return float(np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2))


class Island:
    def __init__(self, seed, dim=3, size=12):
        self.rng = np.random.default_rng(seed)
        self.people = self.rng.uniform(-2, 2, (size, dim))
        self.cost = np.array([rosenbrock(p) for p in self.people])

    def evolve(self, generations):
        for _ in range(generations):
            for i in range(len(self.people)):
                a, b, c = self.people[self.rng.choice(len(self.people), 3, replace=False)]
                mask = self.rng.random(a.size) < 0.9
                trial = np.where(mask, a + 0.7 * (b - c), self.people[i])
                cost = rosenbrock(trial)
                if cost < self.cost[i]:
                    self.people[i], self.cost[i] = trial, cost

    @property
    def best(self):
        i = int(self.cost.argmin())
        return float(self.cost[i]), self.people[i].copy()

    def welcome(self, guest):
        worst = int(self.cost.argmax())
        self.people[worst] = guest
        self.cost[worst] = rosenbrock(guest)
