from mpi4py import MPI


class IOGroup:
    """Neighbouring processes that share one aggregator (the first of them)."""

    def __init__(self, world, group_size):
        self.world = world
        self.index = world.rank // group_size
        self.comm = world.Split(color=self.index, key=world.rank)
        self.first_member = self.index * group_size
        self.is_aggregator = self.comm.rank == 0
        color = 0 if self.is_aggregator else MPI.UNDEFINED
        self.aggregators = world.Split(color=color, key=world.rank)
