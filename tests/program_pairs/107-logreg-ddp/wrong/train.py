"""Data-parallel logistic regression with synchronous SGD."""
import argparse
import itertools

import numpy as np
from mpi4py import MPI

from data import ShardLoader, make_dataset


def sigmoid(t):
    return 1.0 / (1.0 + np.exp(-t))


class Model:
    def __init__(self, dim):
        self.w = np.zeros(dim)

    def gradient(self, x, y):
        return x.T @ (sigmoid(x @ self.w) - y) / len(y)

    def loss_sum(self, x, y):
        p = np.clip(sigmoid(x @ self.w), 1e-9, 1 - 1e-9)
        return float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).sum())


def average(comm, grad):
    out = np.empty_like(grad)
    comm.Allreduce(grad, out, op=MPI.SUM)
    return out / comm.size


def train(comm, model, loader, epochs, lr):
    for epoch in range(epochs):
        for x, y in loader.batches(epoch):
            model.w -= lr * average(comm, model.gradient(x, y))
        total = comm.allreduce(model.loss_sum(*loader.shard))
        count = comm.allreduce(len(loader.shard[1]))
        if comm.rank == 0:
            print(f"epoch {epoch} loss {total / count:.5f}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--samples", type=int, default=1025)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--lr", type=float, default=0.5)
    a = p.parse_args()
    comm = MPI.COMM_WORLD
    x, y = make_dataset(a.samples)
    loader = ShardLoader(comm, x, y, a.batch_size)
    train(comm, Model(x.shape[1]), loader, a.epochs, a.lr)


if __name__ == "__main__":
    main()
