"""Cartesian layout of the processes."""
from collections import namedtuple

from mpi4py import MPI

Neighbours = namedtuple("Neighbours", "west east south north")


class Layout:
    def __init__(self, comm, shape):
        dims = MPI.Compute_dims(comm.size, 2)
        for n, d in zip(shape, dims):
            if n % d:
                raise SystemExit(f"grid {shape} does not fit the process grid {dims}")
        self.cart = comm.Create_cart(dims, periods=[True, True])
        self.dims = dims
        self.coords = self.cart.Get_coords(self.cart.rank)
        self.local = tuple(n // d for n, d in zip(shape, dims))
        self.offset = tuple(c * n for c, n in zip(self.coords, self.local))

    def neighbours(self):
        west, east = self.cart.Shift(0, 1)
        south, north = self.cart.Shift(1, 1)
        return Neighbours(west, east, south, north)

    def window(self):
        return tuple(slice(o, o + n) for o, n in zip(self.offset, self.local))
