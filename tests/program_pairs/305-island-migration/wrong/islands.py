"""One island of the genetic algorithm: selection, crossover, mutation, migration."""
import numpy as np


def rastrigin(x):
    return 10 * x.shape[1] + np.sum(x * x - 10 * np.cos(2 * np.pi * x), axis=1)


class Island:
    def __init__(self, comm, cfg):
        self.comm = comm
        self.cfg = cfg
        self.rng = np.random.default_rng(cfg.seed + comm.rank)
        self.pop = self.rng.uniform(-5, 5, (cfg.islands_population, cfg.genes))
        self.cost = rastrigin(self.pop)
        self.moves = 0

    def evolve(self):
        n = len(self.pop)
        a = self.rng.integers(n, size=(n, 2))
        parents = np.where((self.cost[a[:, 0]] < self.cost[a[:, 1]])[:, None],
                           self.pop[a[:, 0]], self.pop[a[:, 1]])
        mates = parents[self.rng.permutation(n)]
        mask = self.rng.random(parents.shape) < 0.5
        children = np.where(mask, parents, mates)
        hit = self.rng.random(children.shape) < self.cfg.mutation
        children = children + hit * self.rng.normal(0, 0.3, children.shape)
        everyone = np.vstack([self.pop, children])
        cost = rastrigin(everyone)
        keep = np.argsort(cost)[:n]
        self.pop, self.cost = everyone[keep], cost[keep]

    def migration_due(self):
        return self.rng.random() < self.cfg.migration_rate

    def migrate(self):
        """Send the elite to the next island, replace the worst by the visitors."""
        size, rank = self.comm.size, self.comm.rank
        visitors = self.comm.sendrecv(self.pop[:self.cfg.elite].copy(),
                                      dest=(rank + 1) % size,
                                      source=(rank - 1) % size)
        self.pop[-self.cfg.elite:] = visitors
        self.cost = rastrigin(self.pop)
        order = np.argsort(self.cost)
        self.pop, self.cost = self.pop[order], self.cost[order]
        self.moves += 1
