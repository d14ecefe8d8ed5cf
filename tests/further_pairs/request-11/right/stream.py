import numpy as np
from mpi4py import MPI


class FrameSender:
    """Sends frames through two slots, so that the next frame can be made meanwhile."""

    def __init__(self, comm, dest, shape):
        self.comm = comm
        self.dest = dest
        self.slots = np.zeros((2, *shape))
        self.requests = [MPI.REQUEST_NULL, MPI.REQUEST_NULL]
        self.count = 0

    def push(self, frame):
        slot = self.count % 2
        self.requests[slot].Wait()
        self.slots[slot] = frame
        self.requests[slot] = self.comm.Isend(self.slots[slot], dest=self.dest, tag=self.count)
        self.count += 1

    def close(self):
        MPI.Request.Waitall(self.requests)
