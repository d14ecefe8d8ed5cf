import numpy as np
from mpi4py import MPI


class ProcessGrid:
    """x and y are split over a periodic Cartesian grid, z is kept whole."""

    def __init__(self, cfg, comm=MPI.COMM_WORLD):
        dims = MPI.Compute_dims(comm.size, 2)
        self.cart = comm.Create_cart(dims, periods=[True, True])
        self.rank = self.cart.rank
        cx, cy = self.cart.coords
        self.x = self.part(cfg.nx, dims[0], cx)
        self.y = self.part(cfg.ny, dims[1], cy)
        self.z = np.arange(cfg.nz)
        if cfg.nx < dims[0] or cfg.ny < dims[1]:
            raise ValueError("box too small for this many ranks")
        self.neighbour = {}
        for axis in (0, 1):
            low, high = self.cart.Shift(axis, 1)
            self.neighbour[axis, "low"], self.neighbour[axis, "high"] = low, high

    @staticmethod
    def part(n, parts, index):
        return np.array_split(np.arange(n), parts)[index]

    def max(self, x):
        return self.cart.allreduce(x, op=MPI.MAX)

    def sum(self, x):
        return self.cart.allreduce(x, op=MPI.SUM)
