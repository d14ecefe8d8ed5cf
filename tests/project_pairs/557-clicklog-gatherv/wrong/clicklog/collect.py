import numpy as np
from mpi4py import MPI

from .features import SESSION, as_table


class Layout:
    """Sizes and offsets of the pieces in the collected buffer."""

    def __init__(self, counts):
        self.counts = np.asarray(counts, dtype=int)
        self.offsets = np.concatenate([[0], np.cumsum(self.counts)[:-1]]).astype(int)

    @property
    def total(self):
        return int(self.counts.sum())

    def in_bytes(self, itemsize):
        return Layout(self.counts * itemsize)


class TableCollector:
    def __init__(self, comm, root=0, dtype=SESSION):
        self.comm = comm
        self.root = root
        self.dtype = dtype

    def _layout(self, count):
        size = self.comm.size
        total = self.comm.allreduce(count)
        base, rest = divmod(total, size)
        return Layout([base + (r < rest) for r in range(size)])

    def collect(self, rows):
        local = as_table(rows)
        layout = self._layout(len(local))
        raw = layout.in_bytes(self.dtype.itemsize)
        send = np.frombuffer(local.tobytes(), dtype=np.uint8)
        if self.comm.rank != self.root:
            self.comm.Gatherv([send, MPI.BYTE], None, root=self.root)
            return None
        recv = np.zeros(raw.total, dtype=np.uint8)
        self.comm.Gatherv([send, MPI.BYTE],
                          [recv, raw.counts, raw.offsets, MPI.BYTE], root=self.root)
        return recv.view(self.dtype)
