"""Synchronous data-parallel SGD for a linear model."""
import logging

import numpy as np
from mpi4py import MPI

log = logging.getLogger("regressor")


class Trainer:
    def __init__(self, comm, loader, n_features, lr=0.05):
        self.comm = comm
        self.loader = loader
        self.params = np.zeros(n_features + 1)
        self.lr = lr

    def loss_and_grad(self, x, y):
        err = x @ self.params[:-1] + self.params[-1] - y
        grad = np.empty_like(self.params)
        grad[:-1] = x.T @ err / len(y)
        grad[-1] = err.mean()
        return 0.5 * float((err**2).mean()), grad

    def average(self, array):
        out = np.empty_like(array)
        self.comm.Allreduce(array, out, op=MPI.SUM)
        return out / self.comm.size

    def run_epoch(self):
        losses = []
        for x, y in self.loader:
            loss, grad = self.loss_and_grad(x, y)
            self.params -= self.lr * self.average(grad)
            losses.append(loss)
        return float(self.average(np.array([np.mean(losses)]))[0])

    def fit(self, epochs):
        for epoch in range(epochs):
            loss = self.run_epoch()
            if self.comm.rank == 0:
                log.info("epoch %d loss %.5f", epoch, loss)
        return self.params
