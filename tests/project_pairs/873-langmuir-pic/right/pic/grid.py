import numpy as np


class PeriodicGrid:
    """Equal slabs of a periodic interval; one guard node on either side."""

    def __init__(self, comm, ncells, length):
        if ncells % comm.size:
            raise ValueError("cells must divide evenly over the ranks")
        self.comm = comm
        self.ncells = ncells
        self.length = length
        self.dx = length / ncells
        self.nlocal = ncells // comm.size
        self.first = comm.rank * self.nlocal
        self.xmin = self.first * self.dx
        self.xmax = self.xmin + self.nlocal * self.dx
        self.left = (comm.rank - 1) % comm.size
        self.right = (comm.rank + 1) % comm.size

    def zeros(self):
        return np.zeros(self.nlocal + 2)

    def owner_of(self, x):
        return np.minimum((x / (self.dx * self.nlocal)).astype(int), self.comm.size - 1)

    def weights(self, x):
        """Local node to the left of each particle, and the linear weight to the right."""
        s = (x - self.xmin) / self.dx
        cell = np.clip(np.floor(s).astype(int), 0, self.nlocal - 1)
        return cell + 1, s - cell
