"""Ranks share out the regions in groups; the first of each group speaks for it."""
from contextlib import ExitStack, contextmanager

from mpi4py import MPI


@contextmanager
def split(comm, color, key=0):
    part = comm.Split(color, key)
    try:
        yield part
    finally:
        if part != MPI.COMM_NULL:
            part.Free()


class Teams(ExitStack):
    def __init__(self, world, wanted):
        super().__init__()
        self.world = world
        self.count = min(wanted, world.size)
        self.index = world.rank * self.count // world.size
        self.team = self.enter_context(split(world, self.index, -world.rank))
        self.is_lead = self.team.rank == 0
        self.leads = self.enter_context(
            split(world, 0 if self.is_lead else MPI.UNDEFINED, self.index))

    def assigned(self, regions):
        return sorted(regions)[self.index::self.count]

    def among_leads(self, function, value):
        """function(leads, value) on the leads, then its answer for everybody."""
        answer = None
        if self.leads != MPI.COMM_NULL:
            answer = function(self.leads, value)
        return self.team.bcast(answer, root=0)
