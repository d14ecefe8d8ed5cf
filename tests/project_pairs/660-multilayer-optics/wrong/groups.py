from mpi4py import MPI


class GroupLayout:
    """World ranks cut into `ngroups` consecutive groups; the first rank of a group leads it."""

    def __init__(self, world, ngroups):
        if world.size < ngroups:
            raise SystemExit(f"{ngroups} groups need at least as many ranks, got {world.size}")
        self.world = world
        self.ngroups = ngroups
        self.index = world.rank * ngroups // world.size
        members = [r for r in range(world.size) if r * ngroups // world.size == self.index]
        self.leader = members[0]
        self.group = world.Split(self.index, key=world.rank)

    @property
    def leads(self):
        return self.world.rank == self.leader

    def share(self, obj):
        """Broadcast from the leader to its group."""
        return self.group.bcast(obj if self.leads else None, root=self.leader)

    def send_up(self, obj, tag):
        """From a leader to world rank 0 (which keeps its own)."""
        if self.leads and self.world.rank != 0:
            self.world.send((self.index, obj), dest=0, tag=tag)

    def collect_up(self, own, tag):
        out = {self.index: own}
        for _ in range(self.ngroups - 1):
            k, obj = self.world.recv(source=MPI.ANY_SOURCE, tag=tag)
            out[k] = obj
        return [out[k] for k in range(self.ngroups)]

    def free(self):
        self.group.Free()
