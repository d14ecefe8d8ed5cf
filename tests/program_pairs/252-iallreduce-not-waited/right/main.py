"""Gradient averaging that overlaps with the next batch's data loading."""
import numpy as np
from mpi4py import MPI


class AsyncMean:
    def __init__(self, comm, n):
        self.comm = comm
        self.send = np.zeros(n)
        self.recv = np.zeros(n)
        self.request = MPI.REQUEST_NULL

    def start(self, values):
        self.send[:] = values
        self.request = self.comm.Iallreduce(self.send, self.recv, op=MPI.SUM)

    def result(self):
        self.request.Wait()
        return self.recv / self.comm.size


class Loader:
    def __init__(self, dim, seed):
        self.rng = np.random.default_rng(seed)
        self.dim = dim
        self.truth = np.linspace(-1, 1, dim)

    def next(self, n=8):
        x = self.rng.normal(size=(n, self.dim))
        return x, x @ self.truth


def gradient(w, batch):
    x, y = batch
    return x.T @ (x @ w - y) / len(y)


def train(mean, loader, steps=40, lr=0.002):
    dim = loader.dim
    w = np.zeros(dim)
    batch = loader.next()
    for _ in range(steps):
        mean.start(gradient(w, batch))
        batch = loader.next()
        w = w - lr * mean.result()
    return w


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    dim = 3000
    mean = AsyncMean(comm, dim)
    w = train(mean, Loader(dim, seed=comm.rank))
    all_w = comm.gather(w, root=0)
    if comm.rank == 0:
        spread = max(np.abs(v - all_w[0]).max() for v in all_w)
        moved = np.linalg.norm(w)
        print("spread %.2e, |w| = %.3f" % (spread, moved))
        assert spread == 0 and moved > 0
