"""Two-level smoothing: the coarse problem is solved on half of the ranks."""
import argparse

import numpy as np
from mpi4py import MPI


class Levels:
    def __init__(self, comm):
        self.fine = comm
        self.n_coarse = max(1, comm.size // 2)
        inside = comm.rank < self.n_coarse
        colour = 0 if inside else MPI.UNDEFINED
        self.coarse = comm.Split(colour, key=comm.rank)

    def close(self):
        if self.coarse != MPI.COMM_NULL:
            self.coarse.Free()


def restrict(levels, x):
    """Send block means to the coarse ranks."""
    comm = levels.fine
    means = comm.allgather(float(x.mean()))
    if comm.rank >= levels.n_coarse:
        return np.empty(0)
    return np.array(means[comm.rank::levels.n_coarse])


def coarse_correction(levels, x):
    values = restrict(levels, x)
    total = levels.coarse.allreduce(float(values.sum()))
    total = levels.fine.bcast(total, root=0)
    return total / levels.fine.size


def smooth(x, sweeps):
    for _ in range(sweeps):
        x = 0.25 * np.roll(x, 1) + 0.5 * x + 0.25 * np.roll(x, -1)
    return x


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cells", type=int, default=256, help="cells per rank")
    ap.add_argument("--cycles", type=int, default=5)
    ap.add_argument("--sweeps", type=int, default=10)
    opt = ap.parse_args()

    world = MPI.COMM_WORLD
    levels = Levels(world)
    rng = np.random.default_rng(world.rank)
    x = rng.normal(loc=world.rank, size=opt.cells)
    for cycle in range(opt.cycles):
        x = smooth(x, opt.sweeps)
        x -= coarse_correction(levels, x)
        spread = world.allreduce(float(np.abs(x).max()), op=MPI.MAX)
        if world.rank == 0:
            print(f"cycle {cycle}: max |x| = {spread:.5f}")
    levels.close()


if __name__ == "__main__":
    main()
