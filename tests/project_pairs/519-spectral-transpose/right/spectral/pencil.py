import numpy as np


class RowBlocks:
    """Equal row blocks of a square array."""

    def __init__(self, comm, n):
        if n % comm.size:
            raise ValueError(f"{n} rows cannot be dealt evenly to {comm.size} ranks")
        self.comm = comm
        self.n = n
        self.rows = n // comm.size
        self.first = comm.rank * self.rows

    def coordinates(self):
        i = np.arange(self.first, self.first + self.rows)
        return np.meshgrid(2 * np.pi * i / self.n,
                           2 * np.pi * np.arange(self.n) / self.n, indexing="ij")

    def wavenumbers(self):
        """Wavenumbers of the transposed layout: second axis distributed."""
        k = np.fft.fftfreq(self.n, 1.0 / self.n)
        return np.meshgrid(k[self.first:self.first + self.rows], k, indexing="ij")
