from mpi4py import MPI


class TrainingGroup:
    """The ranks that train one candidate together."""

    def __init__(self, world, size):
        if world.size % size:
            raise ValueError(f"{world.size} ranks do not divide into groups of {size}")
        self.world = world
        self.index = world.rank // size
        self.count = world.size // size
        self.leader = self.index * size
        self.comm = world.Split(self.index, world.rank)

    @property
    def is_leader(self):
        return self.world.rank == self.leader

    def share(self, value):
        """The leader's value, on every rank of the group."""
        return self.comm.bcast(value, root=self.leader)

    def mean(self, value):
        return self.comm.allreduce(value, op=MPI.SUM) / self.comm.size

    def free(self):
        self.comm.Free()
