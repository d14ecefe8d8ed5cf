"""Data parallel logistic regression with a held-out set on the first rank."""
import argparse

import numpy as np
from mpi4py import MPI

from stopping import EarlyStopping


def make_data(n, dim, seed):
    rng = np.random.default_rng(seed)
    w = np.random.default_rng(0).standard_normal(dim)
    x = rng.standard_normal((n, dim))
    y = (x @ w + 0.8 * rng.standard_normal(n) > 0).astype(float)
    return x, y


def loss_and_grad(w, x, y, l2):
    z = x @ w
    p = 1.0 / (1.0 + np.exp(-z))
    loss = np.mean(np.logaddexp(0.0, z) - y * z) + 0.5 * l2 * w @ w
    return loss, x.T @ (p - y) / len(y) + l2 * w


class Trainer:
    def __init__(self, comm, args):
        self.comm, self.args = comm, args
        self.x, self.y = make_data(args.samples, args.dim, seed=1 + comm.rank)
        self.w = np.zeros(args.dim)
        self.stopper = EarlyStopping(patience=args.patience)
        if comm.rank == 0:
            self.valid = make_data(400, args.dim, seed=10_000)

    def epoch(self):
        for _ in range(self.args.inner):
            _, g = loss_and_grad(self.w, self.x, self.y, self.args.l2)
            self.comm.Allreduce(MPI.IN_PLACE, g, op=MPI.SUM)
            self.w -= self.args.lr * g / self.comm.size

    def finished(self):
        stop = False
        if self.comm.rank == 0:
            value, _ = loss_and_grad(self.w, *self.valid, 0.0)
            stop = self.stopper.update(value)
        return stop

    def fit(self):
        for epoch in range(self.args.epochs):
            self.epoch()
            if self.finished():
                break
        return epoch + 1


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--samples", type=int, default=300)
    ap.add_argument("--dim", type=int, default=12)
    ap.add_argument("--epochs", type=int, default=200)
    ap.add_argument("--inner", type=int, default=5)
    ap.add_argument("--lr", type=float, default=0.5)
    ap.add_argument("--l2", type=float, default=1e-3)
    ap.add_argument("--patience", type=int, default=3)
    args = ap.parse_args()

    trainer = Trainer(MPI.COMM_WORLD, args)
    used = trainer.fit()
    if trainer.comm.rank == 0:
        print(f"stopped after {used} epochs, best validation loss {trainer.stopper.best:.4f}")


if __name__ == "__main__":
    main()
