import numpy as np


class Halo:
    """Starts the exchange of edges with both neighbours."""

    def __init__(self, comm):
        self.comm = comm
        self.size, self.rank = comm.Get_size(), comm.Get_rank()

    def start(self, edge, space):
        other = (self.rank + 1) % self.size
        return [self.comm.Irecv(space, source=other), self.comm.Isend(edge, dest=other)]
