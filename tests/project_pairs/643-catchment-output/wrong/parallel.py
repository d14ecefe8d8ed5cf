"""Thin layer over mpi4py used by the catchment model."""
import functools

import numpy as np
from mpi4py import MPI


def root_only(method):
    """Run a method on the root of `self.comm` and return None elsewhere."""

    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        if self.comm.Get_rank() == 0:
            return method(self, *args, **kwargs)
        return None

    return wrapper


class RowBlocks:
    """Row-wise distribution of a raster."""

    def __init__(self, nrows, ncols, comm=None):
        self.comm = comm if comm is not None else MPI.COMM_WORLD
        self.shape = (nrows, ncols)
        bounds = np.linspace(0, nrows, self.comm.size + 1).astype(int)
        self.start, self.stop = bounds[self.comm.rank], bounds[self.comm.rank + 1]
        self.counts = np.diff(bounds) * ncols

    @property
    def local_shape(self):
        return (self.stop - self.start, self.shape[1])

    def collect(self, local):
        full = np.empty(self.shape) if self.comm.rank == 0 else None
        self.comm.Gatherv(np.ascontiguousarray(local), [full, self.counts], root=0)
        return full

    def exchange_edges(self, local):
        """Return the row above and the row below this block."""
        r, s = self.comm.rank, self.comm.size
        up = r - 1 if r else MPI.PROC_NULL
        down = r + 1 if r + 1 < s else MPI.PROC_NULL
        above, below = local[0].copy(), local[-1].copy()
        self.comm.Sendrecv(local[-1].copy(), down, recvbuf=above, source=up)
        self.comm.Sendrecv(local[0].copy(), up, recvbuf=below, source=down)
        return above, below
