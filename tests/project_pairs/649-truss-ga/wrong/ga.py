import argparse

import numpy as np
from mpi4py import MPI

from breeding import Progress, blend, mutate, tournament
from problem import CantileverTruss


class ParallelGA:
    """Fitness is evaluated on all ranks; selection and breeding happen on rank 0."""

    def __init__(self, comm, objective, npop, bounds, patience, seed=1):
        self.comm = comm
        self.f = objective
        self.lo, self.hi = bounds
        self.rng = np.random.default_rng(seed)
        self.npop = npop
        self.progress = Progress(patience)

    @property
    def root(self):
        return self.comm.rank == 0

    def evaluate(self, pop):
        chunks = np.array_split(pop, self.comm.size) if self.root else None
        mine = self.comm.scatter(chunks, root=0)
        fit = self.comm.gather([self.f(g) for g in mine], root=0)
        return np.concatenate([f for f in fit if f]) if self.root else None

    def breed(self, pop, fit):
        elite = pop[np.argsort(fit)[:2]]
        kids = mutate(blend(pop[tournament(fit, self.rng)], self.rng), self.lo, self.hi, self.rng)
        kids[:2] = elite
        return kids

    def run(self, generations):
        pop = None
        if self.root:
            pop = self.rng.uniform(self.lo, self.hi, (self.npop, 10))
        for gen in range(generations):
            fit = self.evaluate(pop)
            if self.root:
                self.progress.update(pop, fit)
                if gen % 20 == 0:
                    print(f"gen {gen:4d}   best {self.progress.best:10.2f}", flush=True)
                if self.progress.stalled:
                    break
                pop = self.breed(pop, fit)
        best = (self.progress.best, self.progress.genes) if self.root else None
        return self.comm.bcast(best, root=0) + (gen + 1,)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--population", type=int, default=48)
    ap.add_argument("--generations", type=int, default=400)
    ap.add_argument("--patience", type=int, default=15)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    ga = ParallelGA(comm, CantileverTruss(), args.population, (0.1, 35.0), args.patience)
    weight, genes, ngen = ga.run(args.generations)
    check = comm.allreduce(abs(ga.f(genes) - weight), op=MPI.MAX)
    if comm.rank == 0:
        print(f"{ngen} generations, weight {weight:.2f} (check {check:.1e})")
        print("areas:", np.round(genes, 2))
