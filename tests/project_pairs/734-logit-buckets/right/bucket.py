"""Gradients collected over several small batches before they are applied."""
import numpy as np
from mpi4py import MPI


class Bucket:
    def __init__(self, comm, size, every):
        self.comm = comm
        self.every = every
        self.filled = 0
        self.grad = np.zeros(size + 1)      # the last entry counts samples

    def clear(self):
        self.filled = 0
        self.grad[:] = 0.0

    def add(self, grad, samples):
        self.grad[:-1] += grad
        self.grad[-1] += samples
        self.filled += 1
        if self.filled == self.every:
            self._share()

    def _share(self):
        self.comm.Allreduce(MPI.IN_PLACE, self.grad, op=MPI.SUM)

    @property
    def full(self):
        return self.filled == self.every

    def mean(self):
        return self.grad[:-1] / self.grad[-1]
