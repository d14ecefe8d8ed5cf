"""Particle positions in memory shared by the ranks of a node."""
import numpy as np
from mpi4py import MPI


class SharedFrame:
    def __init__(self, world, n, dim):
        self.node = world.Split_type(MPI.COMM_TYPE_SHARED, key=world.rank)
        if self.node.size != world.size:
            raise SystemExit("this program runs on a single node")
        nbytes = n * dim * 8 if self.node.rank == 0 else 0
        self.win = MPI.Win.Allocate_shared(nbytes, 8, comm=self.node)
        memory, _ = self.win.Shared_query(0)
        self.pos = np.ndarray((n, dim), dtype=np.float64, buffer=memory)
        bounds = [n * r // self.node.size for r in range(self.node.size + 1)]
        self.mine = slice(bounds[self.node.rank], bounds[self.node.rank + 1])
        self.win.Lock_all()

    def fill(self, values):
        if self.node.rank == 0:
            self.pos[...] = values
        self.sync()

    def sync(self):
        """Order all accesses before the call ahead of all that follow."""
        self.win.Sync()
        self.node.Barrier()
        self.win.Sync()

    def free(self):
        self.win.Unlock_all()
        self.win.Free()
        self.node.Free()
