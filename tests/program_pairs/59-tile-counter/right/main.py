"""Render a Mandelbrot picture; ranks take tiles from a shared counter."""
import numpy as np
from mpi4py import MPI

NTILES = 1500
ROWS_PER_TILE = 1
WIDTH = 48
MAXITER = 12


class TileCounter:
    """A counter that lives in a window of rank 0."""

    def __init__(self, comm):
        self.comm = comm
        nbytes = MPI.INT64_T.Get_size() if comm.rank == 0 else 0
        self.win = MPI.Win.Allocate(nbytes, disp_unit=8, comm=comm)
        if comm.rank == 0:
            self.win.Lock(0, MPI.LOCK_EXCLUSIVE)
            np.frombuffer(self.win.tomemory(), dtype=np.int64)[:] = 0
            self.win.Unlock(0)
        comm.Barrier()

    def next(self):
        one = np.ones(1, dtype=np.int64)
        value = np.empty(1, dtype=np.int64)
        self.win.Lock(0, MPI.LOCK_SHARED)
        self.win.Fetch_and_op(one, value, 0, 0, MPI.SUM)
        self.win.Unlock(0)
        return int(value[0])

    def close(self):
        self.win.Free()


def render(tile):
    total = NTILES * ROWS_PER_TILE
    rows = np.arange(tile * ROWS_PER_TILE, (tile + 1) * ROWS_PER_TILE)
    c = (np.linspace(-2.2, 0.8, WIDTH)[None, :]
         + 1j * (-1.2 + 2.4 * rows / total)[:, None])
    z = np.zeros_like(c)
    hits = np.zeros(c.shape, dtype=np.int64)
    for _ in range(MAXITER):
        mask = np.abs(z) < 2
        z[mask] = z[mask] ** 2 + c[mask]
        hits += mask
    return hits


def main():
    comm = MPI.COMM_WORLD
    counter = TileCounter(comm)
    image = np.zeros((NTILES * ROWS_PER_TILE, WIDTH), dtype=np.int64)
    done = 0
    while True:
        tile = counter.next()
        if tile >= NTILES:
            break
        image[tile * ROWS_PER_TILE:(tile + 1) * ROWS_PER_TILE] = render(tile)
        done += 1
    counter.close()

    full = np.zeros_like(image) if comm.rank == 0 else None
    comm.Reduce(image, full, op=MPI.SUM, root=0)
    shares = comm.gather(done, root=0)
    if comm.rank == 0:
        print("tiles per rank:", shares, "sum", sum(shares))
        print("brightest pixel", full.max(), "of", MAXITER, "total", full.sum())


if __name__ == "__main__":
    main()
