"""Container of Lagrangian tracers living in the x-slab of one rank."""
import numpy as np


class Tracers:
    FIELDS = 3          # id, x, y

    def __init__(self, comm, length):
        self.comm = comm
        self.length = length
        self.width = length / comm.size
        self.data = np.empty((0, self.FIELDS))

    def __len__(self):
        return len(self.data)

    @property
    def x(self):
        return self.data[:, 1]

    @property
    def y(self):
        return self.data[:, 2]

    def seed(self, n, centre, radius, rng):
        """Release n tracers around `centre`; every rank draws the same cloud and keeps its share."""
        theta = rng.uniform(0, 2 * np.pi, n)
        r = radius * np.sqrt(rng.random(n))
        cloud = np.column_stack([np.arange(n),
                                 (centre[0] + r * np.cos(theta)) % self.length,
                                 centre[1] + r * np.sin(theta)])
        self.data = cloud[self.owner(cloud[:, 1]) == self.comm.rank]

    def owner(self, x):
        return np.minimum((x / self.width).astype(int), self.comm.size - 1)

    def migrate(self):
        """Hand tracers that left the slab to their new owner."""
        dest = self.owner(self.x)
        order = np.argsort(dest, kind="stable")
        outgoing = np.ascontiguousarray(self.data[order])
        scounts = np.bincount(dest, minlength=self.comm.size)
        rcounts = np.empty_like(scounts)
        self.comm.Alltoall(scounts, rcounts)
        incoming = np.empty((rcounts.sum(), self.FIELDS))
        self.comm.Alltoallv([outgoing, scounts * self.FIELDS],
                            [incoming, rcounts * self.FIELDS])
        moved = len(outgoing) - scounts[self.comm.rank]
        self.data = incoming
        return int(moved)
