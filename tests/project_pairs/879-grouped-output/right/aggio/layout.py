import numpy as np


class RowLayout:
    """Rows of a table dealt to the processes in contiguous blocks."""

    def __init__(self, nrows, ncols, nprocs):
        self.nrows = nrows
        self.ncols = ncols
        self.nprocs = nprocs
        base, extra = divmod(nrows, nprocs)
        self.rows = [base + (p < extra) for p in range(nprocs)]
        self.first = [0] + [int(s) for s in np.cumsum(self.rows)[:-1]]

    def shape(self, proc):
        return self.rows[proc], self.ncols

    def values(self, proc):
        """Number of values that process ``proc`` holds."""
        return self.rows[proc] * self.ncols
