from mpi4py import MPI


class Layout:
    """Periodic split of the second (y) direction into contiguous slabs."""

    def __init__(self, params, comm):
        if params.ny < comm.size:
            raise ValueError("more ranks than lattice columns")
        self.cart = comm.Create_cart([comm.size], periods=[True])
        self.rank, self.size = self.cart.rank, self.cart.size
        self.below, self.above = self.cart.Shift(0, 1)
        base, extra = divmod(params.ny, self.size)
        self.ny = base + (self.rank < extra)
        self.y0 = self.rank * base + min(self.rank, extra)

    def sum(self, x):
        return self.cart.allreduce(x, op=MPI.SUM)
