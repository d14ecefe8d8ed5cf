import numpy as np
from mpi4py import MPI


class GradientSync:
    """Averages gradient and loss over the ranks in one message."""

    def __init__(self, comm, size):
        self.comm = comm
        self._buf = np.empty(size + 1)

    def __call__(self, loss, grad):
        self._buf[0] = loss
        self._buf[1:] = grad
        self.comm.Allreduce(MPI.IN_PLACE, self._buf, op=MPI.SUM)
        self._buf /= self.comm.Get_size()
        return float(self._buf[0]), self._buf[1:].copy()


class Trainer:
    def __init__(self, comm, model, cfg, log):
        self.comm = comm
        self.model = model
        self.cfg = cfg
        self.log = log
        self.sync = GradientSync(comm, model.w.size)

    def fit(self, loader):
        history = []
        steps = self.comm.allreduce(len(loader), op=MPI.MIN)
        for epoch in range(self.cfg.epochs):
            mean = self._epoch(loader, steps)
            history.append(mean)
            self.log.info("epoch %d loss %.4f", epoch, mean)
        return history

    def _epoch(self, loader, steps):
        total = 0.0
        batches = iter(loader)
        for _ in range(steps):
            x, y = next(batches)
            loss, grad = self.sync(*self.model.loss_and_grad(x, y))
            self.model.step(grad, self.cfg.lr)
            total += loss
        return total / steps

    def score(self, x, y):
        hits = float(np.sum(self.model.predict(x) == y))
        hits = self.comm.allreduce(hits, op=MPI.SUM)
        rows = self.comm.allreduce(len(y), op=MPI.SUM)
        return hits / rows
