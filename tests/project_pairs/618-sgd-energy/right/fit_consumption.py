"""Data-parallel SGD for a small regression network (building energy use)."""
import argparse
from itertools import islice

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
FEATURES = 6


class MLP:
    def __init__(self, nin, nhid, rng):
        self.params = [
            rng.normal(0, 1 / np.sqrt(nin), (nin, nhid)), np.zeros(nhid),
            rng.normal(0, 1 / np.sqrt(nhid), (nhid, 1)), np.zeros(1),
        ]

    def loss_and_grads(self, x, y):
        w1, b1, w2, b2 = self.params
        h = np.tanh(x @ w1 + b1)
        err = (h @ w2 + b2) - y
        g = 2.0 * err / len(x)
        dh = (g @ w2.T) * (1 - h ** 2)
        return float((err ** 2).mean()), [x.T @ dh, dh.sum(0), h.T @ g, g.sum(0)]

    def apply(self, grads, lr):
        for p, g in zip(self.params, grads):
            p -= lr * g


def load_shard(rank, rows=1500):
    """Meter readings of one district; readings with a dead meter are dropped."""
    rng = np.random.default_rng([11, rank])
    x = rng.normal(size=(rows, FEATURES))
    y = np.sin(x[:, :1]) + 0.5 * x[:, 1:2] * x[:, 2:3] + 0.05 * rng.normal(size=(rows, 1))
    alive = rng.random(rows) > 0.05 * (1 + rank)
    return x[alive], y[alive]


def minibatches(x, y, size, rng):
    order = rng.permutation(len(x))
    for start in range(0, len(x) - size + 1, size):
        pick = order[start:start + size]
        yield x[pick], y[pick]


def average_gradients(grads):
    flat = np.concatenate([g.ravel() for g in grads])
    comm.Allreduce(MPI.IN_PLACE, flat, op=MPI.SUM)
    flat /= comm.size
    out, pos = [], 0
    for g in grads:
        out.append(flat[pos:pos + g.size].reshape(g.shape))
        pos += g.size
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--hidden", type=int, default=24)
    ap.add_argument("--lr", type=float, default=0.05)
    args = ap.parse_args()

    x, y = load_shard(comm.rank)
    nbatch = comm.allreduce(len(x) // args.batch, op=MPI.MIN)
    net = MLP(FEATURES, args.hidden, np.random.default_rng(0))   # equal start on all ranks
    shuffle = np.random.default_rng([5, comm.rank])

    for epoch in range(args.epochs):
        running, seen = 0.0, 0
        for xb, yb in islice(minibatches(x, y, args.batch, shuffle), nbatch):
            loss, grads = net.loss_and_grads(xb, yb)
            net.apply(average_gradients(grads), args.lr)
            running += loss
            seen += 1
        totals = comm.reduce(np.array([running, seen]), root=0)
        if comm.rank == 0 and epoch % 5 == 4:
            print(f"epoch {epoch + 1:3d}  train mse {totals[0] / totals[1]:.4f}", flush=True)

    if comm.rank == 0:
        print("parameters:", sum(p.size for p in net.params))


if __name__ == "__main__":
    main()
