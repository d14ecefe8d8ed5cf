import math


class ProcessGrid:
    """q x q grid in row-major order, with communicators for its rows and columns."""

    def __init__(self, comm):
        self.comm = comm
        self.q = math.isqrt(comm.size)
        self.row, self.col = divmod(comm.rank, self.q)
        self.row_comm = comm.Split(color=self.row, key=self.col)
        self.col_comm = comm.Split(color=self.col, key=self.row)
