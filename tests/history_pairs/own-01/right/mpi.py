from mpi4py import MPI


class World:
    """What the programs of this project need of MPI."""

    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()

    @property
    def is_root(self):
        return self.rank == 0

    def sum(self, value):
        return self.comm.allreduce(value, op=MPI.SUM)

    def broadcast(self, array):
        """Fills the array of every rank with that of the root, in place."""
        self.comm.Bcast(array, root=0)


world = World(MPI.COMM_WORLD)
