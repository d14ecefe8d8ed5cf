import numpy as np
from mpi4py import MPI


class NodeComms:
    """node: ranks which share memory; leaders: first rank of each node
    (COMM_NULL elsewhere)."""

    def __init__(self, comm):
        self.node = comm.Split_type(MPI.COMM_TYPE_SHARED, key=comm.rank)
        self.is_leader = self.node.Get_rank() == 0
        self.leaders = comm.Split(0 if self.is_leader else MPI.UNDEFINED, key=comm.rank)
        self.n_nodes = self.node.bcast(
            self.leaders.Get_size() if self.is_leader else None, root=0)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        if self.leaders != MPI.COMM_NULL:
            self.leaders.Free()
        self.node.Free()
        return False


class SharedTable:
    def __init__(self, node, shape, dtype):
        self.node = node
        dtype = np.dtype(dtype)
        nbytes = int(np.prod(shape)) * dtype.itemsize
        self.win = MPI.Win.Allocate_shared(
            nbytes if node.Get_rank() == 0 else 0, dtype.itemsize, comm=node)
        memory, _ = self.win.Shared_query(0)
        self.array = np.ndarray(shape, dtype=dtype, buffer=memory)
        self.win.Lock_all(MPI.MODE_NOCHECK)

    def publish(self):
        """Make the stores of the node visible to all of its ranks."""
        self.win.Sync()
        self.node.Barrier()
        self.win.Sync()

    def free(self):
        self.array = None
        self.win.Unlock_all()
        self.win.Free()
