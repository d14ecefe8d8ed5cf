from functools import partial
from itertools import accumulate

import numpy as np
from mpi4py import MPI

from tile import Tile

OPPOSITE = {"north": "south", "south": "north", "west": "east", "east": "west"}


def cut(n, parts):
    sizes = [n // parts + (i < n % parts) for i in range(parts)]
    return list(accumulate(sizes, initial=0))


class Plate:
    def __init__(self, comm, n):
        self.n = n
        self.grid = comm.Create_cart(MPI.Compute_dims(comm.size, 2), periods=(False, False))
        dims, _, (i, j) = self.grid.Get_topo()
        rows, cols = cut(n, dims[0]), cut(n, dims[1])
        self.rows, self.cols = slice(rows[i], rows[i + 1]), slice(cols[j], cols[j + 1])
        self.tile = Tile(rows[i + 1] - rows[i], cols[j + 1] - cols[j])
        self.near = dict(zip(("north", "south"), self.grid.Shift(0, 1)))
        self.near |= dict(zip(("west", "east"), self.grid.Shift(1, 1)))
        hot = np.sin(np.pi * (np.arange(n) + 1.0) / (n + 1))
        if self.near["north"] == MPI.PROC_NULL:
            self.tile.cells[0, 1:-1] = hot[self.cols]
        if self.near["west"] == MPI.PROC_NULL:
            self.tile.cells[1:-1, 0] = 0.5 * hot[self.rows]

    def exchange(self):
        names = list(Tile.edges)
        requests = []
        for name in names:
            there = self.near[name]
            requests += [
                self.grid.Irecv(getattr(self.tile, name)["ghost"], there,
                                tag=names.index(OPPOSITE[name])),
                self.grid.Isend(getattr(self.tile, name)["inner"], there,
                                tag=names.index(name))]
        MPI.Request.Waitall(requests)

    def settle(self, tolerance, every=20, limit=4000):
        biggest = partial(self.grid.allreduce, op=MPI.MAX)
        for sweep in range(1, limit + 1):
            self.exchange()
            change = self.tile.relax()
            if sweep % every:
                continue
            if biggest(change) < tolerance:
                return sweep
        raise RuntimeError(f"no convergence in {limit} sweeps")

    def assemble(self, root=0):
        pieces = self.grid.gather((self.rows, self.cols, self.tile.body.copy()), root=root)
        if pieces is None:
            return None
        whole = np.full((self.n, self.n), np.nan)
        for rows, cols, body in pieces:
            whole[rows, cols] = body
        return whole

    def close(self):
        self.tile.__exit__(None, None, None)
        self.grid.Free()
