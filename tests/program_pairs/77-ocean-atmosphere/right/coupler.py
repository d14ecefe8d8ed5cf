from mpi4py import MPI


class Coupler:
    """Two components on disjoint sets of ranks, joined by an intercommunicator."""

    def __init__(self, world):
        n_ocean = (world.size + 1) // 2
        self.name = "ocean" if world.rank < n_ocean else "atmosphere"
        color = 0 if self.name == "ocean" else 1
        self.local = world.Split(color, world.rank)
        remote_leader = n_ocean if self.name == "ocean" else 0
        self.inter = self.local.Create_intercomm(0, world, remote_leader, tag=42)

    def publish(self, obj):
        """Called by all ranks of the sending component."""
        root = MPI.ROOT if self.local.rank == 0 else MPI.PROC_NULL
        self.inter.bcast(obj, root=root)

    def fetch(self):
        """Called by all ranks of the receiving component."""
        return self.inter.bcast(None, root=0)

    def close(self):
        self.inter.Disconnect()
        self.local.Free()
