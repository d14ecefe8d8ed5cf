"""Random walkers in a periodic box cut into slabs; walkers migrate."""
import numpy as np
from mpi4py import MPI


class Slab:
    def __init__(self, comm, box, walkers, seed):
        self.comm, self.box = comm, box
        self.lo = box * comm.rank / comm.size
        self.hi = box * (comm.rank + 1) / comm.size
        self.rng = np.random.default_rng([seed, comm.rank])
        x = self.rng.uniform(self.lo, self.hi, walkers)
        self.data = np.column_stack([x, self.rng.normal(size=(walkers, 15))])

    def move(self, length):
        self.data[:, 0] += self.rng.normal(scale=length, size=len(self.data))

    def migrate(self):
        c = self.comm
        left, right = (c.rank - 1) % c.size, (c.rank + 1) % c.size
        x = self.data[:, 0]
        to_left, to_right = x < self.lo, x >= self.hi
        keep = self.data[~(to_left | to_right)]

        self._ship(self.data[to_left], left, tag=1)
        self._ship(self.data[to_right], right, tag=2)
        from_right = c.recv(source=right, tag=1)
        from_left = c.recv(source=left, tag=2)
        self.data = np.concatenate([keep, from_right, from_left])

    def _ship(self, rows, dest, tag):
        rows = rows.copy()
        rows[:, 0] %= self.box
        self.comm.isend(rows, dest=dest, tag=tag)

    def checksum(self):
        return float(self.data[:, 1:].sum())


def main():
    comm = MPI.COMM_WORLD
    slab = Slab(comm, box=8.0, walkers=6000, seed=12)
    before = comm.allreduce(slab.checksum())
    for step in range(20):
        slab.move(length=min(0.2, 8.0 / comm.size / 6))
        slab.migrate()
    after = comm.allreduce(slab.checksum())
    n = comm.allreduce(len(slab.data))
    if comm.rank == 0:
        print(f"{n} walkers of {6000 * comm.size}, checksum drift {abs(after - before):.2e}")


if __name__ == "__main__":
    main()
