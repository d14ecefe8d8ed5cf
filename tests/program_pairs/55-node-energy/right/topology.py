import platform

from mpi4py import MPI


class NodeLayout:
    """Communicators for the ranks of one node and for the node leaders."""

    def __init__(self, comm):
        self.world = comm
        host = platform.node()
        color = sorted(set(comm.allgather(host))).index(host)
        self.node = comm.Split(color, key=comm.rank)
        self.is_leader = self.node.rank == 0
        self.leaders = comm.Split(0 if self.is_leader else MPI.UNDEFINED, key=comm.rank)

    @property
    def num_nodes(self):
        count = self.leaders.size if self.is_leader else None
        return self.node.bcast(count, root=0)

    def free(self):
        if self.leaders != MPI.COMM_NULL:
            self.leaders.Free()
        self.node.Free()
