"""Data parallel SGD for linear regression (numpy + mpi4py)."""
import math
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
world = comm.size


def load_shard(n=97):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(n, 4))
    y = x @ np.array([1.0, -2.0, 0.5, 3.0])
    cut = n // world
    lo = rank * cut
    hi = n if rank == world - 1 else lo + cut
    return x[lo:hi], y[lo:hi]


def batches(x, y, size, steps):
    for b in range(steps):
        sl = slice(b * size, (b + 1) * size)
        yield x[sl], y[sl]


def gradient(w, xb, yb):
    err = xb @ w - yb
    return xb.T @ err


def average(grad, n):
    packed = np.append(grad, float(n))
    comm.Allreduce(MPI.IN_PLACE, packed, op=MPI.SUM)
    return packed[:-1] / max(packed[-1], 1.0)


def train(epochs=60, bs=8, lr=0.2):
    x, y = load_shard()
    w = np.zeros(4)
    steps = comm.allreduce(math.ceil(len(x) / bs), op=MPI.MAX)
    for _ in range(epochs):
        for xb, yb in batches(x, y, bs, steps):
            g = average(gradient(w, xb, yb), len(xb))
            w -= lr * g
    return w


if __name__ == "__main__":
    w = train()
    ws = comm.gather(w, root=0)
    if rank == 0:
        print(np.round(ws[0], 3))
        assert all(np.array_equal(ws[0], other) for other in ws)
        assert np.allclose(w, [1, -2, .5, 3], atol=1e-3)
