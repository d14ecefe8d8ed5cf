from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class Strip:
    comm: MPI.Intracomm
    n: int
    start: int
    stop: int
    up: int
    down: int

    @classmethod
    def build(cls, comm, n):
        rank, size = comm.rank, comm.size
        edges = [n * r // size for r in range(size + 1)]
        up = rank - 1 if rank > 0 else MPI.PROC_NULL
        down = rank + 1 if rank + 1 < size else MPI.PROC_NULL
        return cls(comm, n, edges[rank], edges[rank + 1], up, down)

    @property
    def rows(self):
        return self.stop - self.start

    def field(self):
        return np.zeros((self.rows + 2, self.n + 2))

    def refresh(self, u):
        reqs = [
            self.comm.Irecv(u[0], source=self.up, tag=1),
            self.comm.Irecv(u[-1], source=self.down, tag=2),
            self.comm.Isend(u[1], dest=self.up, tag=2),
            self.comm.Isend(u[-2], dest=self.down, tag=1),
        ]
        MPI.Request.Waitall(reqs)
