import numpy as np
from mpi4py import MPI


class Trainer:
    def __init__(self, net, x, y, comm, rate=0.05):
        self.net, self.x, self.y = net, x, y
        self.comm = comm
        self.rate = rate
        self.n_total = comm.allreduce(len(x))
        self.callbacks = []

    def evaluate(self):
        sq = float(((self.net.predict(self.x) - self.y) ** 2).sum())
        return self.comm.allreduce(sq, op=MPI.SUM) / self.n_total

    def update(self):
        grad = self.net.gradient(self.x, self.y)
        self.comm.Allreduce(MPI.IN_PLACE, grad, op=MPI.SUM)
        self.net.theta -= self.rate * grad / self.n_total

    def fit(self, epochs):
        for epoch in range(1, epochs + 1):
            self.update()
            for callback in self.callbacks:
                callback(self, epoch)
        return self.evaluate()


class LossHistory:
    def __init__(self, every):
        self.every = every
        self.rows = []

    def __call__(self, trainer, epoch):
        if epoch % self.every == 0:
            self.rows.append((epoch, trainer.evaluate()))
