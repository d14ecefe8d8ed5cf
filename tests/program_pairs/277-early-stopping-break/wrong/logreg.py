"""Data-parallel logistic regression with early stopping."""
import argparse

import numpy as np
from mpi4py import MPI


class EarlyStopping:
    def __init__(self, patience, min_delta=1e-4):
        self.patience = patience
        self.min_delta = min_delta
        self.best = np.inf
        self.bad_epochs = 0

    def update(self, loss):
        if loss < self.best - self.min_delta:
            self.best = loss
            self.bad_epochs = 0
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def shard(rank, n, d):
    rng = np.random.default_rng(31 + rank)
    w = np.linspace(-2, 2, d)
    x = rng.normal(size=(n, d))
    y = (rng.random(n) < sigmoid(x @ w)).astype(float)
    cut = int(0.8 * n)
    return (x[:cut], y[:cut]), (x[cut:], y[cut:])


def loss_of(w, x, y):
    p = np.clip(sigmoid(x @ w), 1e-9, 1 - 1e-9)
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def train(comm, args):
    (x, y), (xv, yv) = shard(comm.rank, args.samples, args.features)
    w = np.zeros(args.features)
    stopper = EarlyStopping(args.patience)
    grad = np.empty_like(w)
    for epoch in range(args.epochs):
        local = x.T @ (sigmoid(x @ w) - y) / len(y)
        comm.Allreduce(local, grad, op=MPI.SUM)
        w -= args.lr * grad / comm.size
        val = loss_of(w, xv, yv)
        if stopper.update(val):
            break
    return w, epoch + 1, stopper.best


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--samples", type=int, default=400)
    p.add_argument("--features", type=int, default=12)
    p.add_argument("--epochs", type=int, default=3000)
    p.add_argument("--patience", type=int, default=5)
    p.add_argument("--lr", type=float, default=0.5)
    args = p.parse_args()
    comm = MPI.COMM_WORLD
    w, epochs, best = train(comm, args)
    if comm.rank == 0:
        print(f"{epochs} epochs, best validation loss {best:.4f}")
        print(np.array2string(w, precision=3))


if __name__ == "__main__":
    main()
