from abc import ABC, abstractmethod

import numpy as np
from mpi4py import MPI


class Writer(ABC):
    """Template: bring the rows together, then write what one has."""

    def __init__(self, path, layout):
        self.path = path
        self.layout = layout

    def write(self, local):
        block, first_row = self.assemble(np.ascontiguousarray(local, dtype=float))
        self.store(block, first_row)

    @abstractmethod
    def assemble(self, local):
        ...

    @abstractmethod
    def store(self, block, first_row):
        ...


class DirectWriter(Writer):
    """Every process writes its own rows."""

    def __init__(self, path, layout, comm):
        super().__init__(path, layout)
        self.comm = comm

    def assemble(self, local):
        return local, self.layout.first[self.comm.rank]

    def store(self, block, first_row):
        write_rows(self.comm, self.path, block, first_row, self.layout.ncols)


class AggregatingWriter(Writer):
    def __init__(self, path, layout, group):
        super().__init__(path, layout)
        self.group = group

    def assemble(self, local):
        group, layout = self.group, self.layout
        counts = [layout.values(p) for p in range(group.comm.size)]
        block = recv = None
        if group.is_aggregator:
            block = np.zeros(sum(counts))
            recv = [block, counts, MPI.DOUBLE]
        group.comm.Gatherv(local, recv, root=0)
        return block, layout.first[group.first_member]

    def store(self, block, first_row):
        if self.group.is_aggregator:
            write_rows(self.group.aggregators, self.path, block, first_row, self.layout.ncols)
        self.group.world.Barrier()


def write_rows(comm, path, block, first_row, ncols):
    handle = MPI.File.Open(comm, str(path), MPI.MODE_WRONLY | MPI.MODE_CREATE)
    handle.Set_size(0)
    handle.Write_at_all(first_row * ncols * 8, block)
    handle.Close()
