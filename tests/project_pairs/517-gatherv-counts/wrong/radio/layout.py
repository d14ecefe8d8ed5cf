"""Contiguous blocks of channels for each rank and the matching v-collectives."""
import numpy as np
from mpi4py import MPI


class ChannelLayout:
    def __init__(self, comm, channels):
        self.comm = comm
        self.channels = channels
        base, extra = divmod(channels, comm.size)
        self.sizes = [base + (r < extra) for r in range(comm.size)]
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).tolist()

    @property
    def mine(self):
        a = self.starts[self.comm.rank]
        return range(a, a + self.sizes[self.comm.rank])

    def spec(self, item):
        counts = [n * item for n in self.sizes]
        return counts, self.starts

    def collect(self, local, shape):
        """Cube of all channels on rank 0, None elsewhere."""
        item = int(np.prod(shape))
        counts, displs = self.spec(item)
        send = np.ascontiguousarray(local, dtype=np.float64)
        cube = None
        if self.comm.rank == 0:
            cube = np.zeros((self.channels,) + tuple(shape))
        recv = [cube, counts, displs, MPI.DOUBLE] if cube is not None else None
        self.comm.Gatherv([send, counts[self.comm.rank], MPI.DOUBLE], recv, root=0)
        return cube
