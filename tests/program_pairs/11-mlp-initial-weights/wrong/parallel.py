from mpi4py import MPI


class GradientAverager:
    """In-place mean of a list of arrays over the communicator."""

    def __init__(self, comm):
        self.comm = comm

    def __call__(self, arrays):
        for a in arrays:
            self.comm.Allreduce(MPI.IN_PLACE, a, op=MPI.SUM)
            a /= self.comm.size

    def sync(self, arrays, root=0):
        for a in arrays:
            self.comm.Bcast(a, root=root)
