import numpy as np
from mpi4py import MPI


class WriterGroup:
    """The even ranks write; each also takes what its odd neighbour has."""

    def __init__(self, world):
        self.world = world
        group = world.Get_group()
        even = group.Incl(list(range(0, world.size, 2)))
        self.comm = world.Create(even)
        even.Free()
        group.Free()

    def write(self, u):
        rank = self.world.rank
        if rank % 2 == 1:
            self.world.Send(u, dest=rank - 1, tag=60)
            data = np.zeros(0)
        else:
            data = u
            if rank + 1 < self.world.size:
                other = np.empty_like(u)
                self.world.Recv(other, source=rank + 1, tag=60)
                data = np.concatenate([u, other])
        if self.comm != MPI.COMM_NULL:
            total = self.comm.reduce(float(data.sum()), op=MPI.SUM, root=0)
            if rank == 0:
                print(f"written sum {total:.6f}")

    def close(self):
        if self.comm != MPI.COMM_NULL:
            self.comm.Free()
