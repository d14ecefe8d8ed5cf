"""Ising model in row bands with a checkpoint when the job is about to be preempted."""
import argparse
import os
import tempfile

import numpy as np
from mpi4py import MPI

from preempt import PreemptionGuard


class Lattice:
    def __init__(self, comm, rows, cols, beta):
        self.comm = comm
        self.beta = beta
        self.rng = np.random.default_rng([17, comm.rank])
        self.s = self.rng.choice([-1, 1], (rows, cols)).astype(np.int8)
        self.up = (comm.rank - 1) % comm.size
        self.down = (comm.rank + 1) % comm.size

    def neighbours(self):
        above, below = np.empty_like(self.s[0]), np.empty_like(self.s[0])
        self.comm.Sendrecv(self.s[-1].copy(), dest=self.down, recvbuf=above, source=self.up)
        self.comm.Sendrecv(self.s[0].copy(), dest=self.up, recvbuf=below, source=self.down)
        tall = np.vstack([above, self.s, below]).astype(int)
        return tall[:-2] + tall[2:] + np.roll(tall[1:-1], 1, 1) + np.roll(tall[1:-1], -1, 1)

    def sweep(self):
        for colour in (0, 1):
            field = self.neighbours()
            i, j = np.indices(self.s.shape)
            active = (i + j) % 2 == colour
            flip = self.rng.random(self.s.shape) < np.exp(-2 * self.beta * self.s * field)
            self.s[active & flip] *= -1

    def save(self, folder, sweep):
        everything = self.comm.gather(self.s, root=0)
        if self.comm.rank == 0:
            np.savez(os.path.join(folder, "lattice.npz"), s=np.vstack(everything), sweep=sweep)


def run(lattice, guard, sweeps, folder):
    for sweep in range(1, sweeps + 1):
        lattice.sweep()
        if guard.requested:
            lattice.save(folder, sweep)
            return sweep
    lattice.save(folder, sweeps)
    return sweeps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--cols", type=int, default=64)
    parser.add_argument("--sweeps", type=int, default=1000000)
    parser.add_argument("--rehearse", type=float, default=2.0)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    guard = PreemptionGuard()
    guard.rehearse(args.rehearse)
    with tempfile.TemporaryDirectory() as folder:
        lattice = Lattice(comm, args.rows, args.cols, beta=0.5)
        sweep = run(lattice, guard, args.sweeps, folder)
        if comm.rank == 0:
            saved = np.load(os.path.join(folder, "lattice.npz"))
            print("saved a lattice of", saved["s"].shape, "before the end:", sweep < args.sweeps)


if __name__ == "__main__":
    main()
