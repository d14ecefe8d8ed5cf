import numpy as np
from mpi4py import MPI


class Team:
    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()
        self.lead = self.rank == 0

    def sync(self):
        self.comm.Barrier()

    def share(self, make):
        """Value of make() on the lead, on every rank."""
        return self.comm.bcast(make() if self.lead else None, root=0)

    def deal(self, items):
        """Rounds of one item per rank; ranks without an item get None."""
        for first in range(0, len(items), self.size):
            mine = first + self.rank
            yield items[mine] if mine < len(items) else None

    def sum(self, array):
        out = np.zeros_like(array)
        self.comm.Allreduce(array, out, op=MPI.SUM)
        return out
