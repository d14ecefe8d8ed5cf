from mpi4py import MPI


def share(n, parts, k):
    base, extra = divmod(n, parts)
    return k * base + min(k, extra), base + (k < extra)


class Block:
    def __init__(self, cart, ny, nx):
        self.cart = cart
        dims, _, coords = cart.Get_topo()
        self.y0, self.ny = share(ny, dims[0], coords[0])
        self.x0, self.nx = share(nx, dims[1], coords[1])
        self.up, self.down = cart.Shift(0, 1)
        self.left, self.right = cart.Shift(1, 1)
        width = self.nx + 2
        self.column = MPI.DOUBLE.Create_vector(self.ny, 1, width)
        self.column.Commit()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.column.Free()
        return False

    def _col(self, u, j):
        """Column j without the corners, as a buffer that starts at u[1, j]."""
        return [u.reshape(-1)[u.shape[1] + j:], 1, self.column]

    def exchange(self, u):
        # rows are contiguous; at a wall source or target is PROC_NULL and the
        # ghost row keeps its boundary value zero
        c = self.cart
        c.Sendrecv(u[1, 1:-1], dest=self.up, sendtag=1,
                   recvbuf=u[-1, 1:-1], source=self.down, recvtag=1)
        c.Sendrecv(u[-2, 1:-1], dest=self.down, sendtag=2,
                   recvbuf=u[0, 1:-1], source=self.up, recvtag=2)
        reqs = [c.Irecv(self._col(u, 0), source=self.left, tag=3),
                c.Irecv(self._col(u, self.nx + 1), source=self.right, tag=4),
                c.Isend(self._col(u, 1), dest=self.left, tag=4),
                c.Isend(self._col(u, self.nx), dest=self.right, tag=3)]
        MPI.Request.Waitall(reqs)
