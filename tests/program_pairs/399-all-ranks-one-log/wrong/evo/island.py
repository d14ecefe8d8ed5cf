import numpy as np


def rastrigin(x):
    return 10 * x.shape[-1] + np.sum(x ** 2 - 10 * np.cos(2 * np.pi * x), axis=-1)


class Island:
    """One population per rank, best individuals migrate around a ring."""

    def __init__(self, world, dim, popsize, seed):
        self.world = world
        self.rng = np.random.default_rng((seed, world.rank))
        self.pop = self.rng.uniform(-5, 5, size=(popsize, dim))
        self.fit = rastrigin(self.pop)

    def evolve(self, sigma):
        kids = self.pop + sigma * self.rng.normal(size=self.pop.shape)
        f = rastrigin(kids)
        better = f < self.fit
        self.pop[better] = kids[better]
        self.fit[better] = f[better]

    def migrate(self):
        w = self.world
        best = self.pop[self.fit.argmin()].copy()
        guest = w.sendrecv(best, dest=(w.rank + 1) % w.size,
                           source=(w.rank - 1) % w.size)
        worst = self.fit.argmax()
        self.pop[worst] = guest
        self.fit[worst] = rastrigin(guest)

    def best(self):
        return float(self.fit.min())
