"""Small MLP fitted to the two-moons data with data-parallel SGD."""
import numpy as np
from mpi4py import MPI

from data import two_moons, minibatches

HIDDEN = 16
BATCH = 25
EPOCHS = 30


def init(seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(0, 1.0, (2, HIDDEN)), np.zeros(HIDDEN),
            rng.normal(0, 0.3, (HIDDEN, 1)), np.zeros(1)]


def forward(params, x):
    w1, b1, w2, b2 = params
    h = np.tanh(x @ w1 + b1)
    return h, 1.0 / (1.0 + np.exp(-(h @ w2 + b2)[:, 0]))


def gradients(params, x, y):
    w1, b1, w2, b2 = params
    h, p = forward(params, x)
    d2 = ((p - y) / len(y))[:, None]
    d1 = (d2 @ w2.T) * (1 - h * h)
    return [x.T @ d1, d1.sum(0), h.T @ d2, d2.sum(0)]


def average(comm, grads):
    for g in grads:
        comm.Allreduce(MPI.IN_PLACE, g, op=MPI.SUM)
        g /= comm.size


def main():
    comm = MPI.COMM_WORLD
    x, y = two_moons(526)
    mine = np.array_split(np.arange(len(y)), comm.size)[comm.rank]
    params = init()
    rng = np.random.default_rng(77 + comm.rank)
    for epoch in range(EPOCHS):
        for xb, yb in minibatches(rng, x[mine], y[mine], BATCH):
            grads = gradients(params, xb, yb)
            average(comm, grads)
            for p, g in zip(params, grads):
                p -= 1.0 * g
    _, prob = forward(params, x[mine])
    hits = comm.reduce(int(((prob > 0.5) == y[mine]).sum()), root=0)
    seen = comm.reduce(len(mine), root=0)
    if comm.rank == 0:
        print(f"accuracy {hits / seen:.4f}")


if __name__ == "__main__":
    main()
