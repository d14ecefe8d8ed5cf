"""Photon map: rays are traced by all ranks, the pixels are distributed by rows.

Contributions to rows of another rank are added with one-sided accumulates.
"""
import numpy as np
from mpi4py import MPI

NX, NY = 48, 36
PHOTONS = 4000


class DistributedImage:
    def __init__(self, comm, ny, nx):
        self.comm = comm
        self.nx = nx
        self.edges = [ny * r // comm.size for r in range(comm.size + 1)]
        rows = self.edges[comm.rank + 1] - self.edges[comm.rank]
        self.win = MPI.Win.Allocate(rows * nx * 8, disp_unit=8, comm=comm)
        self.local = np.frombuffer(self.win.tomemory(), dtype="d").reshape(rows, nx)
        self.local[...] = 0.0
        comm.Barrier()

    def add(self, image):
        """Add a full-size image to the distributed one."""
        for shift in range(self.comm.size):
            target = (self.comm.rank + shift) % self.comm.size
            part = image[self.edges[target]:self.edges[target + 1]]
            self.win.Lock(target, MPI.LOCK_EXCLUSIVE)
            if not part.any():
                continue
            self.win.Accumulate(np.ascontiguousarray(part), target, op=MPI.SUM)
            self.win.Unlock(target)

    def close(self):
        self.comm.Barrier()
        total = self.comm.reduce(float(self.local.sum()), root=0)
        brightest = self.comm.reduce(float(self.local.max()), op=MPI.MAX, root=0)
        self.local = None
        self.win.Free()
        return total, brightest


def trace(seed, source_row):
    """Scatter photons from a lamp; they land around its row."""
    rng = np.random.default_rng(seed)
    image = np.zeros((NY, NX))
    y = np.clip(rng.normal(source_row, 2.0, PHOTONS), source_row - 6, source_row + 6)
    x = rng.uniform(0, NX, PHOTONS)
    iy = np.clip(y.astype(int), 0, NY - 1)
    np.add.at(image, (iy, x.astype(int)), 1.0)
    return image


def main():
    comm = MPI.COMM_WORLD
    screen = DistributedImage(comm, NY, NX)
    for bounce in range(4):
        lamp = 6 + (comm.rank * 11 + 5 * bounce) % (NY - 12)
        screen.add(trace(100 * comm.rank + bounce, lamp))
    total, brightest = screen.close()
    if comm.rank == 0:
        print(f"photons on the screen {total:.0f} of {4 * PHOTONS * comm.size}")
        print(f"brightest pixel {brightest:.0f}")


main()
