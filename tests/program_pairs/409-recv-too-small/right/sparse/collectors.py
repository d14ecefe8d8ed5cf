import numpy as np

from .rowblock import row_range


class VectorCollector:
    """Assembles block vectors on one rank with plain messages."""

    TAG = 321

    def __init__(self, comm, n, root=0):
        self.comm = comm
        self.n = n
        self.root = root
        self.lo, self.hi = row_range(n, comm.rank, comm.size)

    def _receive_from(self, src, like):
        lo, hi = row_range(self.n, src, self.comm.size)
        buf = np.empty(hi - lo, dtype=like.dtype)
        self.comm.Recv(buf, source=src, tag=self.TAG)
        return lo, buf

    def collect(self, block):
        if self.comm.rank != self.root:
            self.comm.Send(block, dest=self.root, tag=self.TAG)
            return None
        full = np.empty(self.n)
        full[self.lo:self.hi] = block
        for src in range(self.comm.size):
            if src == self.root:
                continue
            lo, buf = self._receive_from(src, block)
            full[lo:lo + len(buf)] = buf
        return full
