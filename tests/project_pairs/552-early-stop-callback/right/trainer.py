import numpy as np
from mpi4py import MPI

from datasets import batches


class Trainer:
    def __init__(self, net, comm, lr, batch, callbacks=()):
        self.net = net
        self.comm = comm
        self.lr = lr
        self.batch = batch
        self.callbacks = list(callbacks)
        self.is_main = comm.rank == 0
        self.stop = False
        self.epoch = 0
        self.rng = np.random.default_rng(100 + comm.rank)

    def _emit(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *args)

    def _average(self, grads):
        for key in sorted(grads):
            g = np.ascontiguousarray(grads[key])
            self.comm.Allreduce(MPI.IN_PLACE, g, op=MPI.SUM)
            grads[key] = g / self.comm.size
        return grads

    def train_epoch(self, x, y):
        for bx, by in batches(x, y, self.batch, self.rng):
            grads = self._average(self.net.grads(bx, by))
            for key, g in grads.items():
                self.net.params[key] -= self.lr * g

    def evaluate(self, x, y):
        return self.comm.allreduce(self.net.loss(x, y), op=MPI.SUM) / self.comm.size

    def validate(self, valid):
        logs = {"lr": self.lr}
        if self.is_main:
            logs["valid"] = self.net.loss(*valid)
            print(f"epoch {self.epoch:3d} valid {logs['valid']:.4f}", flush=True)
        return self.comm.bcast(logs, root=0)

    def fit(self, train, valid, epochs):
        self._emit("on_fit_start")
        for self.epoch in range(1, epochs + 1):
            self.train_epoch(*train)
            self._emit("on_epoch_end", self.validate(valid))
            if self.stop:
                break
