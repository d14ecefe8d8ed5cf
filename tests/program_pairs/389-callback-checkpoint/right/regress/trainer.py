import numpy as np
from mpi4py import MPI


class Trainer:
    """Linear regression by full batch gradient descent, data-parallel."""

    def __init__(self, comm, dim, samples, lr):
        self.comm = comm
        self.lr = lr
        self.callbacks = []
        rng = np.random.default_rng(99)          # same truth on every rank
        truth = rng.normal(size=dim)
        mine = np.random.default_rng([99, comm.rank])
        n = samples // comm.size
        self.X = mine.normal(size=(n, dim))
        self.y = self.X @ truth + 0.1 * mine.normal(size=n)
        self.w = np.zeros(dim)
        self.ntot = comm.allreduce(n)

    def add(self, cb):
        self.callbacks.append(cb)

    def residual(self):
        return self.X @ self.w - self.y

    def state_dict(self):
        res = self.comm.gather(self.residual(), root=0)
        if res is not None:
            res = np.concatenate(res)
        return {"w": self.w.copy(), "residuals": res}

    def _epoch(self):
        r = self.residual()
        g = 2 * self.X.T @ r
        self.comm.Allreduce(MPI.IN_PLACE, g, op=MPI.SUM)
        self.w -= self.lr * g / self.ntot
        return self.comm.allreduce(float(r @ r), op=MPI.SUM) / self.ntot

    def _fire(self, epoch, loss):
        for cb in self.callbacks:
            if cb.root_only and self.comm.rank != 0:
                continue
            cb.on_epoch_end(self, epoch, loss)

    def run(self, epochs):
        for e in range(epochs):
            self._fire(e, self._epoch())
        return self.w
