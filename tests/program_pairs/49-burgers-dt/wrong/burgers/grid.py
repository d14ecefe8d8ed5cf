from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass
class Slab:
    """Contiguous piece of a 1-D grid with one ghost cell on each side."""

    comm: MPI.Comm
    ncells: int
    length: float = 1.0
    u: np.ndarray = field(init=False)

    def __post_init__(self):
        rank, size = self.comm.Get_rank(), self.comm.Get_size()
        base, extra = divmod(self.ncells, size)
        self.n = base + (1 if rank < extra else 0)
        self.start = rank * base + min(rank, extra)
        self.dx = self.length / self.ncells
        self.left = rank - 1 if rank > 0 else MPI.PROC_NULL
        self.right = rank + 1 if rank < size - 1 else MPI.PROC_NULL
        self.u = np.zeros(self.n + 2)

    @property
    def x(self):
        return (self.start + np.arange(self.n) + 0.5) * self.dx

    @property
    def interior(self):
        return self.u[1:-1]

    def fill_ghosts(self):
        u, c = self.u, self.comm
        c.Sendrecv(u[1:2], dest=self.left, recvbuf=u[-1:], source=self.right)
        c.Sendrecv(u[-2:-1], dest=self.right, recvbuf=u[:1], source=self.left)
        if self.left == MPI.PROC_NULL:
            u[0] = u[1]
        if self.right == MPI.PROC_NULL:
            u[-1] = u[-2]

    def total_mass(self):
        return self.comm.allreduce(float(self.interior.sum() * self.dx))
