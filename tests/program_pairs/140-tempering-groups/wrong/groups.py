"""Splitting the world into replica groups."""
from mpi4py import MPI


class ReplicaGroup:
    """A set of ranks that samples one temperature together."""

    def __init__(self, world, replicas):
        self.world = world
        self.count = min(replicas, world.size)
        self.index = world.rank * self.count // world.size
        self.comm = world.Split(color=self.index, key=world.rank)
        members = [r for r in range(world.size) if r * self.count // world.size == self.index]
        self.leader = members[0]
        self.is_leader = world.rank == self.leader
        self.leaders = world.Split(color=0 if self.is_leader else MPI.UNDEFINED, key=world.rank)

    def share(self, value):
        """Value of the leader, on all members of the group."""
        return self.comm.bcast(value if self.is_leader else None, root=self.leader)

    def average(self, total, n):
        total = self.comm.allreduce(total)
        n = self.comm.allreduce(n)
        return total / n

    def collect(self, item):
        """List of the items of all groups, on the leaders."""
        return self.leaders.allgather(item) if self.is_leader else None

    def free(self):
        if self.leaders != MPI.COMM_NULL:
            self.leaders.Free()
        self.comm.Free()
