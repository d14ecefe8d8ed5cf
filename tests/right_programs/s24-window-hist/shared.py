"""A table in shared memory: filled by the first rank of the node, read by all."""
from contextlib import AbstractContextManager

import numpy as np
from mpi4py import MPI


class SharedTable(AbstractContextManager):
    def __init__(self, comm, shape, fill):
        self.node = comm.Split_type(MPI.COMM_TYPE_SHARED, key=comm.rank)
        count = int(np.prod(shape)) if self.node.rank == 0 else 0
        self.window = MPI.Win.Allocate_shared(8 * count, 8, comm=self.node)
        memory, _ = self.window.Shared_query(0)
        self.array = np.ndarray(shape, dtype="f8", buffer=memory)
        self.window.Fence()
        if self.node.rank == 0:
            self.array[...] = fill(shape)
        self.window.Fence()

    def __getitem__(self, index):
        return self.array[index]

    def __exit__(self, *exc):
        self.window.Fence()
        del self.array
        self.window.Free()
        self.node.Free()
