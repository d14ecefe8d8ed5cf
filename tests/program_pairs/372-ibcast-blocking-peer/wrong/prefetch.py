import numpy as np


class ChunkStream:
    """Iterate over chunks that rank 0 reads; the next chunk is on its way
    while the current one is worked on."""

    def __init__(self, comm, read, shape, n):
        self.comm, self.read, self.n = comm, read, n
        self.buffers = [np.empty(shape), np.empty(shape)]

    def _start(self, k):
        buf = self.buffers[k % 2]
        if self.comm.rank == 0:
            buf[...] = self.read(k)
            return self.comm.Ibcast(buf, root=0)
        self.comm.Bcast(buf, root=0)
        return None

    def __iter__(self):
        request = self._start(0)
        for k in range(self.n):
            if request is not None:
                request.Wait()
            if k + 1 < self.n:
                request = self._start(k + 1)
            yield self.buffers[k % 2]
