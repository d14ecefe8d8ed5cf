import logging

import numpy as np
from mpi4py import MPI

from .schedule import ReduceOnPlateau

log = logging.getLogger("net")


class Trainer:
    def __init__(self, comm, model, data, rate=0.08, epochs=40):
        self.comm = comm
        self.model = model
        self.data = data
        self.epochs = epochs
        self.schedule = ReduceOnPlateau(rate)
        self.momentum = np.zeros_like(model.theta)

    def _gradient(self):
        total = np.empty_like(self.model.theta)
        self.comm.Allreduce(self.model.gradient(self.data.x, self.data.y), total, op=MPI.SUM)
        return total / self.data.total

    def _epoch(self):
        self.momentum = 0.9 * self.momentum + self._gradient()
        self.model.theta -= self.schedule.rate * self.momentum

    def _validate(self, epoch):
        if self.data.valid is None:
            return
        metric = self.model.error(*self.data.valid)
        if epoch % 10 == 0:
            log.info("epoch %d validation %.4f", epoch, metric)
        self.schedule.update(metric)

    def fit(self):
        for epoch in range(self.epochs):
            self._epoch()
            self._validate(epoch)
        return self.model

    def replica_spread(self):
        high = np.empty_like(self.model.theta)
        low = np.empty_like(self.model.theta)
        self.comm.Allreduce(self.model.theta, high, op=MPI.MAX)
        self.comm.Allreduce(self.model.theta, low, op=MPI.MIN)
        return float((high - low).max())
