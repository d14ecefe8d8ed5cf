"""Forest fire automaton in row blocks, with frames written by the root."""
import os
import tempfile

import numpy as np
from mpi4py import MPI

from profiling import Section, summary

EMPTY, TREE, FIRE = 0, 1, 2


class Forest:
    def __init__(self, comm, rows, cols, density=0.7):
        self.comm = comm
        self.lo = rows * comm.rank // comm.size
        self.hi = rows * (comm.rank + 1) // comm.size
        field = (np.random.default_rng(3).random((rows, cols)) < density).astype(np.int8)
        field[rows // 2, cols // 2 - 2:cols // 2 + 2] = FIRE
        self.cells = field[self.lo:self.hi].copy()

    def with_halo(self):
        up = self.comm.rank - 1 if self.comm.rank > 0 else MPI.PROC_NULL
        down = self.comm.rank + 1 if self.comm.rank + 1 < self.comm.size else MPI.PROC_NULL
        g = np.zeros((len(self.cells) + 2, self.cells.shape[1]), np.int8)
        g[1:-1] = self.cells
        self.comm.Sendrecv(g[1], dest=up, recvbuf=g[-1], source=down)
        self.comm.Sendrecv(g[-2], dest=down, recvbuf=g[0], source=up)
        return g

    def step(self):
        g = self.with_halo()
        burning = g == FIRE
        near = np.zeros_like(self.cells, bool)
        near |= burning[:-2] | burning[2:]
        near[:, 1:] |= burning[1:-1, :-1]
        near[:, :-1] |= burning[1:-1, 1:]
        catching = (self.cells == TREE) & near
        self.cells[self.cells == FIRE] = EMPTY
        self.cells[catching] = FIRE

    def on_fire(self):
        return self.comm.allreduce(int((self.cells == FIRE).sum()))


def write_frame(folder, step, frame):
    np.save(os.path.join(folder, f"frame{step:04d}.npy"), frame)


def main():
    comm = MPI.COMM_WORLD
    forest = Forest(comm, 60, 80)
    with tempfile.TemporaryDirectory() as folder:
        step = 0
        while forest.on_fire():
            with Section(comm, "step"):
                forest.step()
            step += 1
            if step % 10 == 0:
                parts = comm.gather(forest.cells, root=0)
                with Section(comm, "write"):
                    if comm.rank == 0:
                        write_frame(folder, step, np.vstack(parts))
    trees = comm.allreduce(int((forest.cells == TREE).sum()))
    if comm.rank == 0:
        print(f"fire out after {step} steps, {trees} trees left")
        print(summary())


if __name__ == "__main__":
    main()
