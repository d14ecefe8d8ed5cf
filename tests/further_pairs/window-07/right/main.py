import numpy as np
from mpi4py import MPI


class GlobalVector:
    """A vector in equal blocks, of which any rank may read any element."""

    def __init__(self, comm, block):
        self.comm = comm
        self.block = block
        self.win = MPI.Win.Allocate(8 * block, 8, comm=comm)
        self.local = np.frombuffer(self.win.tomemory(), dtype="f8")
        self.cell = np.zeros(1)

    def fill(self, function):
        start = self.comm.rank * self.block
        self.win.Lock(self.comm.rank)
        self.local[:] = function(np.arange(start, start + self.block))
        self.win.Unlock(self.comm.rank)
        self.comm.Barrier()
        self.win.Lock_all()

    def __getitem__(self, index):
        owner, offset = divmod(index, self.block)
        self.win.Get(self.cell, owner, target=offset)
        self.win.Flush(owner)
        return float(self.cell[0])

    def close(self):
        self.win.Unlock_all()
        self.win.Free()


comm = MPI.COMM_WORLD
vector = GlobalVector(comm, 64)
vector.fill(lambda i: 1.0 + i)
picks = np.random.default_rng(comm.rank).integers(0, 64 * comm.size, size=50)
error = sum(abs(vector[int(i)] - (1.0 + i)) for i in picks)
vector.close()
worst = comm.reduce(error, op=MPI.MAX, root=0)
if comm.rank == 0:
    print("largest error", worst)
