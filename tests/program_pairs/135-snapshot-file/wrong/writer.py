"""Binary snapshot: a small header, then all positions, then all ids."""
import numpy as np
from mpi4py import MPI

HEADER = np.dtype([("magic", "i8"), ("count", "i8"), ("time", "f8")])
MAGIC = 0x50534E41


class SnapshotWriter:
    def __init__(self, comm, path):
        self.comm = comm
        self.path = path

    def write(self, pos, ids, time):
        comm = self.comm
        nlocal = len(ids)
        total = comm.allreduce(nlocal)
        first = comm.rank * nlocal

        fh = MPI.File.Open(comm, self.path, MPI.MODE_CREATE | MPI.MODE_WRONLY)
        fh.Set_size(0)
        if comm.rank == 0:
            head = np.zeros(1, dtype=HEADER)
            head["magic"], head["count"], head["time"] = MAGIC, total, time
            fh.Write_at(0, [head, MPI.BYTE])
        base = HEADER.itemsize
        fh.Write_at_all(base + first * pos.itemsize * 3, [pos, MPI.DOUBLE])
        base += total * pos.itemsize * 3
        fh.Write_at_all(base + first * ids.itemsize, [ids, MPI.INT64_T])
        fh.Close()
        return total


def read(path):
    with open(path, "rb") as fh:
        head = np.frombuffer(fh.read(HEADER.itemsize), dtype=HEADER)[0]
        n = int(head["count"])
        pos = np.frombuffer(fh.read(24 * n), dtype="f8").reshape(n, 3)
        ids = np.frombuffer(fh.read(8 * n), dtype="i8")
    return head, pos, ids
