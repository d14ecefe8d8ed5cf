import numpy as np
from mpi4py import MPI


class SlabGrid:
    """Rows of the plate are dealt out to the ranks in contiguous slabs.

    Row 0 and row -1 of `u` are ghost rows.
    """

    def __init__(self, world, ny, nx):
        self.world = world
        self.rank = world.Get_rank()
        self.size = world.Get_size()
        self.ny, self.nx = ny, nx
        base, extra = divmod(ny, self.size)
        self.nloc = base + (1 if self.rank < extra else 0)
        self.start = self.rank * base + min(self.rank, extra)
        self.up = self.rank - 1 if self.rank > 0 else MPI.PROC_NULL
        self.down = self.rank + 1 if self.rank < self.size - 1 else MPI.PROC_NULL
        self.u = np.zeros((self.nloc + 2, nx))

    def apply_boundaries(self, hot, cold):
        u = self.u
        u[:, 0] = cold
        u[:, -1] = cold
        if self.rank == 0:
            u[0, :] = hot
        if self.rank == self.size - 1:
            u[-1, :] = cold

    def exchange(self):
        u = self.u
        self.world.Sendrecv(u[1], dest=self.up, sendtag=11,
                            recvbuf=u[-1], source=self.down, recvtag=11)
        self.world.Sendrecv(u[-2], dest=self.down, sendtag=12,
                            recvbuf=u[0], source=self.up, recvtag=12)

    def collect(self):
        """Full field on rank 0, None elsewhere."""
        parts = self.world.gather(self.u[1:-1].copy(), root=0)
        if self.rank == 0:
            return np.vstack(parts)
        return None
