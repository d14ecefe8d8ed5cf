import numpy as np
from mpi4py import MPI


class GradientBucket:
    """Packs the gradients into one vector for a single reduction per step."""

    def __init__(self, comm, params):
        self.comm = comm
        self.shapes = {k: v.shape for k, v in params.items()}
        self.flat = np.zeros(sum(v.size for v in params.values()))

    def _pack(self, grads):
        np.concatenate([grads[k].ravel() for k in self.shapes], out=self.flat)

    def _unpack(self):
        grads, at = {}, 0
        for name, shape in self.shapes.items():
            n = int(np.prod(shape))
            grads[name] = self.flat[at:at + n].reshape(shape)
            at += n
        return grads

    def average(self, grads):
        self._pack(grads)
        self.comm.Allreduce(MPI.IN_PLACE, self.flat, op=MPI.SUM)
        self.flat /= self.comm.size
        return self._unpack()


def spread(comm, params):
    """Largest difference of any parameter between the ranks."""
    worst = 0.0
    for value in params.values():
        high, low = np.empty_like(value), np.empty_like(value)
        comm.Allreduce(value, high, op=MPI.MAX)
        comm.Allreduce(value, low, op=MPI.MIN)
        worst = max(worst, float((high - low).max()))
    return worst
