"""Data-parallel logistic regression in plain numpy."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class TrainConfig:
    n_examples: int = 1001
    n_features: int = 12
    batch_size: int = 25
    epochs: int = 3
    lr: float = 0.3
    seed: int = 11


class Shard:
    """Every size-th example, starting at rank."""

    def __init__(self, x, y, rank, size, batch_size):
        self.x, self.y = x[rank::size], y[rank::size]
        self.batch_size = batch_size

    def __len__(self):
        return -(-len(self.y) // self.batch_size)

    def batch(self, i):
        s = slice(i * self.batch_size, (i + 1) * self.batch_size)
        return self.x[s], self.y[s]


def make_data(cfg):
    rng = np.random.default_rng(cfg.seed)
    x = rng.normal(size=(cfg.n_examples, cfg.n_features))
    w = rng.normal(size=cfg.n_features)
    y = (x @ w + 0.1 * rng.normal(size=cfg.n_examples) > 0).astype(float)
    return x, y


def gradient(w, xb, yb):
    p = 1.0 / (1.0 + np.exp(-(xb @ w)))
    loss = -np.mean(yb * np.log(p + 1e-9) + (1 - yb) * np.log(1 - p + 1e-9))
    return loss, xb.T @ (p - yb) / len(yb)


def train(cfg, comm):
    x, y = make_data(cfg)
    shard = Shard(x, y, comm.rank, comm.size, cfg.batch_size)
    w = np.zeros(cfg.n_features)
    total = np.empty_like(w)
    steps = comm.allreduce(len(shard), op=MPI.MIN)
    for epoch in range(cfg.epochs):
        running = 0.0
        for i in range(steps):
            loss, g = gradient(w, *shard.batch(i))
            comm.Allreduce(g, total, op=MPI.SUM)
            w -= cfg.lr * total / comm.size
            running += loss
        mean = comm.allreduce(running / steps) / comm.size
        if comm.rank == 0:
            print(f"epoch {epoch}  loss {mean:.4f}")
    return w


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    weights = train(TrainConfig(), world)
    if world.rank == 0:
        print("norm", round(float(np.linalg.norm(weights)), 4))
