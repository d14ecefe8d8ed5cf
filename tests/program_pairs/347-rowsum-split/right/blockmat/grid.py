from mpi4py import MPI


class ProcessGrid:
    """nrow x ncol process grid in row-major order with row and column groups."""

    def __init__(self, comm):
        self.world = comm
        self.nrow, self.ncol = MPI.Compute_dims(comm.size, 2)
        self.myrow, self.mycol = divmod(comm.rank, self.ncol)
        self.row_comm = comm.Split(self.myrow, comm.rank)

    def sum_over_row(self, vec):
        out = vec.copy()
        self.row_comm.Allreduce(MPI.IN_PLACE, out, op=MPI.SUM)
        return out
