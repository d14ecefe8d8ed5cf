import argparse
import sys

import numpy as np
from mpi4py import MPI

from checkpoint import CheckpointStore
from lattice import SpinGlass


class Walker:
    def __init__(self, comm, model, seed):
        self.comm = comm
        self.model = model
        self.rng = np.random.default_rng([seed, comm.rank])
        self.spins = self.rng.choice([-1.0, 1.0], (model.L, model.L))
        self.energy = model.energy(self.spins)

    def cool(self, betas, store, label):
        best = np.inf
        for beta in betas:
            self.model.sweep(self.spins, beta, self.rng)
            self.energy = self.model.energy(self.spins)
            if self.energy < best:
                best = self.energy
                store.save(label, self.spins, best)
        return best

    def reheat(self, store, label):
        self.spins, self.energy = store.load(label)


def report(comm, cycle, best, start):
    table = comm.gather((best, start), root=0)
    if comm.rank == 0:
        cells = "  ".join(f"{s:8.1f}->{b:8.1f}" for b, s in table)
        print(f"cycle {cycle}: {cells}", flush=True)


def main(argv=None):
    ap = argparse.ArgumentParser(description="annealing of independent walkers with reheating")
    ap.add_argument("-L", type=int, default=24)
    ap.add_argument("--cycles", type=int, default=4)
    ap.add_argument("--sweeps", type=int, default=80)
    ap.add_argument("--seed", type=int, default=11)
    ap.add_argument("--store", default="walkers")
    args = ap.parse_args(argv)

    comm = MPI.COMM_WORLD
    model = SpinGlass(args.L, coupling_seed=args.seed)
    walker = Walker(comm, model, args.seed)
    store = CheckpointStore(args.store, comm)
    betas = np.linspace(0.2, 2.5, args.sweeps)

    best = np.inf
    for cycle in range(args.cycles):
        start = walker.energy
        found = walker.cool(betas, store, "best")
        comm.Barrier()
        walker.reheat(store, "best")
        best = min(best, found)
        report(comm, cycle, found, start)
        comm.Barrier()

    final = walker.energy
    lowest = comm.allreduce((best, comm.rank), op=MPI.MINLOC)
    distinct = comm.allreduce({walker.spins.astype(np.int8).tobytes()}, op=lambda a, b: a | b)
    energies = comm.gather(final, root=0)
    if comm.rank == 0:
        print("final energies:", energies)
        print(f"lowest energy {lowest[0]} by walker {lowest[1]}, "
              f"{len(distinct)} distinct configurations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
