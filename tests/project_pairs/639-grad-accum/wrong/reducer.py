"""Gradient accumulation with communication that overlaps the next micro batches."""
import numpy as np
from mpi4py import MPI


class AccumulatingReducer:
    """Sums micro-batch gradients locally and reduces them in the background.

    Two accumulation buffers are used in turn: while one is on its way, the
    other one takes the gradients of the next step. Updates are thus applied
    one step late.
    """

    def __init__(self, comm, n_params, accumulate):
        self.comm = comm
        self.accumulate = accumulate
        self.buffers = [np.zeros(n_params), np.zeros(n_params)]
        self.current = 0
        self.result = np.empty(n_params)
        self.request = None
        self.count = 0

    def add(self, grad):
        """Returns the previous step's mean gradient when a step is full, else None."""
        self.buffers[self.current] += grad
        self.count += 1
        if self.count < self.accumulate:
            return None
        self.count = 0
        ready = self.finish()
        self._launch()
        return ready

    def _launch(self):
        self.request = self.comm.Iallreduce(self.buffers[self.current], self.result, op=MPI.SUM)
        self.buffers[self.current][:] = 0.0
        self.current = 1 - self.current

    def finish(self):
        """Wait for the reduction under way, None if there is none."""
        if self.request is None:
            return None
        self.request.Wait()
        self.request = None
        return self.result / (self.accumulate * self.comm.Get_size())
