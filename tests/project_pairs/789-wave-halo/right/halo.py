"""Non-blocking exchange of ghost columns between neighbouring strips."""
from mpi4py import MPI
import numpy as np


class ColumnHalo:
    EASTWARD, WESTWARD = 101, 102

    def __init__(self, comm, rows):
        self.comm = comm
        last = comm.size - 1
        self.west = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.east = comm.rank + 1 if comm.rank < last else MPI.PROC_NULL
        self.inbox = np.zeros((2, rows))
        self.outbox = np.zeros((2, rows))
        self.pending = []

    def _pack(self, u, column, slot):
        buf = self.outbox[slot]
        buf[:] = u[:, column]
        return buf

    def start(self, u):
        self.pending = [
            self.comm.Irecv(self.inbox[0], source=self.west, tag=self.EASTWARD),
            self.comm.Irecv(self.inbox[1], source=self.east, tag=self.WESTWARD),
        ]
        for slot, (column, dest, tag) in enumerate((
                (1, self.west, self.WESTWARD), (-2, self.east, self.EASTWARD))):
            buf = self._pack(u, column, slot)
            self.pending.append(self.comm.Isend(buf, dest=dest, tag=tag))

    def finish(self, u):
        MPI.Request.Waitall(self.pending)
        self.pending = []
        if self.west != MPI.PROC_NULL:
            u[:, 0] = self.inbox[0]
        if self.east != MPI.PROC_NULL:
            u[:, -1] = self.inbox[1]
