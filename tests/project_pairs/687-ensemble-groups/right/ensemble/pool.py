from mpi4py import MPI


class GroupPool:
    """Splits the world into groups of neighbouring ranks, one member at a time each."""

    def __init__(self, ngroups, world=MPI.COMM_WORLD):
        self.world = world
        self.ngroups = min(ngroups, world.size)
        self.index = world.rank * self.ngroups // world.size
        self.group = world.Split(color=self.index, key=world.rank)

    @property
    def leads_group(self):
        return self.group.rank == 0

    def sizes(self):
        return [sum(1 for r in range(self.world.size)
                    if r * self.ngroups // self.world.size == g)
                for g in range(self.ngroups)]

    def my_members(self, total):
        return range(self.index, total, self.ngroups)

    def free(self):
        self.group.Free()
