import numpy as np
from mpi4py import MPI


def synthetic(rows, dims, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, dims)) * np.linspace(0.3, 1.5, dims)
    return x, x @ np.sin(np.arange(dims)) + 0.3 * rng.normal(size=rows)


class DistributedRidge:
    def __init__(self, comm, lr, l2, momentum):
        self.comm = comm
        self.lr = lr
        self.l2 = l2
        self.momentum = momentum
        self.w = None

    def _gradient(self, x, y):
        grad = x.T @ (x @ self.w - y) / len(y)
        self.comm.Allreduce(MPI.IN_PLACE, grad, op=MPI.SUM)
        return grad / self.comm.size + self.l2 * self.w

    def fit(self, x, y, steps):
        self.w = np.zeros(x.shape[1])
        speed = np.zeros_like(self.w)
        for _ in range(steps):
            speed = self.momentum * speed - self.lr * self._gradient(x, y)
            self.w += speed
        return self

    def loss(self, x, y):
        return float(np.mean((x @ self.w - y) ** 2))
