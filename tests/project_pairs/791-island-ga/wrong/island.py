"""One island of a genetic algorithm, worked on by a group of ranks."""
import numpy as np
from mpi4py import MPI


class Island:
    def __init__(self, world, count, dim, per_rank, seed):
        self.world = world
        self.number = world.rank * count // world.size
        self.comm = world.Split(color=self.number, key=world.rank)
        self.rng = np.random.default_rng((seed, world.rank))
        self.people = self.rng.uniform(-5.0, 5.0, (per_rank, dim))

    @property
    def leading(self):
        return self.world.rank == 0

    def select(self, fitness, keep):
        """Best individuals of the island, known to all of its ranks."""
        order = np.argsort(fitness)[:keep]
        groups = self.comm.gather((fitness[order], self.people[order]), root=0)
        elite = None
        if self.leading:
            values = np.concatenate([g[0] for g in groups])
            genomes = np.concatenate([g[1] for g in groups])
            elite = genomes[np.argsort(values)[:keep]]
        return self.comm.bcast(elite, root=0)

    def breed(self, elite, sigma):
        n, dim = self.people.shape
        mothers = elite[self.rng.integers(len(elite), size=n)]
        fathers = elite[self.rng.integers(len(elite), size=n)]
        mask = self.rng.random((n, dim)) < 0.5
        self.people = np.where(mask, mothers, fathers)
        self.people += self.rng.normal(0.0, sigma, (n, dim))
        if self.leading:
            self.people[0] = elite[0]

    def best(self, objective):
        fitness = objective(self.people)
        i = int(np.argmin(fitness))
        value, _ = self.comm.allreduce((float(fitness[i]), self.comm.rank), op=MPI.MINLOC)
        return value

    def close(self):
        self.comm.Free()
