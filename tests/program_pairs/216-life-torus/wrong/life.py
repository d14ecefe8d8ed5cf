"""Conway's Game of Life on a torus, split into bands of rows."""
import argparse

import numpy as np
from mpi4py import MPI


class Band:
    def __init__(self, comm, rows, cols, seed=1):
        self.comm = comm
        self.up = (comm.rank - 1) % comm.size
        self.down = (comm.rank + 1) % comm.size
        rng = np.random.default_rng([seed, comm.rank])
        self.cells = np.zeros((rows + 2, cols), dtype=np.int32)
        self.cells[1:-1] = rng.random((rows, cols)) < 0.3

    def exchange(self):
        c = self.cells
        self.comm.Send(c[1], dest=self.up, tag=1)
        self.comm.Recv(c[-1], source=self.down, tag=1)
        self.comm.Send(c[-2], dest=self.down, tag=2)
        self.comm.Recv(c[0], source=self.up, tag=2)

    def neighbours(self):
        c = self.cells
        vertical = c[:-2] + c[1:-1] + c[2:]
        total = vertical + np.roll(vertical, 1, axis=1) + np.roll(vertical, -1, axis=1)
        return total - c[1:-1]

    def step(self):
        self.exchange()
        n = self.neighbours()
        alive = self.cells[1:-1] == 1
        self.cells[1:-1] = (n == 3) | (alive & (n == 2))

    def population(self):
        return self.comm.allreduce(int(self.cells[1:-1].sum()), op=MPI.SUM)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rows", type=int, default=40, help="rows per rank")
    p.add_argument("--cols", type=int, default=40000)
    p.add_argument("--generations", type=int, default=6)
    args = p.parse_args()

    band = Band(MPI.COMM_WORLD, args.rows, args.cols)
    for g in range(args.generations + 1):
        alive = band.population()
        if band.comm.rank == 0:
            print(f"generation {g:3d}: {alive} cells alive")
        band.step()


if __name__ == "__main__":
    main()
