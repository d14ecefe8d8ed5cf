import argparse

import numpy as np
from mpi4py import MPI

from nn import Dense, Sequential, Tanh
from nn.distributed import DistributedOptimizer


def two_moons(n, rng):
    t = rng.uniform(0, np.pi, size=n)
    y = rng.integers(0, 2, size=n)
    x = np.where(y[:, None] == 0,
                 np.stack([np.cos(t), np.sin(t)], 1),
                 np.stack([1 - np.cos(t), 0.5 - np.sin(t)], 1))
    return x + 0.1 * rng.normal(size=x.shape), y.astype(float)[:, None]


def build(hidden):
    rng = np.random.default_rng()
    return Sequential(Dense(2, hidden, rng), Tanh(), Dense(hidden, hidden, rng),
                      Tanh(), Dense(hidden, 1, rng))


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD

    x, y = two_moons(640, np.random.default_rng(100 + comm.rank))
    net = build(args.hidden)
    opt = DistributedOptimizer(net, comm)
    order_rng = np.random.default_rng(comm.rank)
    for epoch in range(args.epochs):
        order = order_rng.permutation(len(x))
        for i in range(0, len(x), args.batch):
            k = order[i:i + args.batch]
            p = sigmoid(net.forward(x[k]))
            net.backward((p - y[k]) / len(k))
            opt.step()
        if epoch % 20 == 0:
            acc = ((sigmoid(net.forward(x)) > 0.5) == (y > 0.5)).mean()
            acc = comm.allreduce(acc, op=MPI.SUM) / comm.size
            if comm.rank == 0:
                print(f"epoch {epoch:3d} accuracy {acc:.4f}")

    norm = float(np.sqrt(sum((p ** 2).sum() for p in net.parameters())))
    norms = comm.gather(norm, root=0)
    if comm.rank == 0:
        print("weight norm per rank:", " ".join(f"{v:.4f}" for v in norms))


if __name__ == "__main__":
    main()
