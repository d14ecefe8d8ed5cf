from mpi4py import MPI


def split(n, parts, index):
    base, extra = divmod(n, parts)
    start = index * base + min(index, extra)
    return start, base + (index < extra)


class Topology:
    """Two-dimensional Cartesian process grid, not periodic."""

    def __init__(self, comm, shape):
        self.shape = shape
        dims = MPI.Compute_dims(comm.size, 2)
        self.cart = comm.Create_cart(dims, periods=(False, False), reorder=False)
        self.coords = self.cart.coords
        self.north, self.south = self.cart.Shift(0, 1)
        self.west, self.east = self.cart.Shift(1, 1)
        self.start, self.count = zip(*(
            split(n, p, c) for n, p, c in zip(shape, dims, self.coords)))

    def global_slices(self):
        return tuple(slice(s, s + c) for s, c in zip(self.start, self.count))
