import logging

import numpy as np

from metrics import MeanMetric
from schedule import EarlyStopping, ReduceLROnPlateau

log = logging.getLogger("trainer")


class LinearModel:
    def __init__(self, n_features):
        self.w = np.zeros(n_features)

    def loss_and_grad(self, x, y):
        err = x @ self.w - y
        return float(np.mean(err**2)), 2.0 * x.T @ err / len(y)

    def loss(self, x, y):
        return float(np.mean((x @ self.w - y) ** 2))


class Trainer:
    def __init__(self, comm, model, train_loader, val_loader, lr, patience):
        self.comm = comm
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.schedule = ReduceLROnPlateau(lr)
        self.stopper = EarlyStopping(patience)
        self.train_loss = MeanMetric(comm)
        self.val_loss = MeanMetric(comm)

    def _average(self, grad):
        out = np.empty_like(grad)
        self.comm.Allreduce(grad, out)
        return out / self.comm.size

    def _train_epoch(self, epoch):
        self.train_loader.set_epoch(epoch)
        for x, y in self.train_loader:
            loss, grad = self.model.loss_and_grad(x, y)
            self.model.w -= self.schedule.lr * self._average(grad)
            self.train_loss.update(loss, len(y))
        return self.train_loss.compute()

    def _validate(self):
        for x, y in self.val_loader:
            self.val_loss.update(self.model.loss(x, y), len(y))
        return self.val_loss.compute()

    def fit(self, max_epochs):
        for epoch in range(max_epochs):
            train = self._train_epoch(epoch)
            val = self._validate()
            lr = self.schedule.step(val)
            if self.comm.rank == 0:
                log.info("epoch %3d  train %.5f  val %.5f  lr %.4f", epoch, train, val, lr)
            if self.stopper.step(val):
                break
        return epoch + 1
