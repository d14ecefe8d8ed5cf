import argparse
import numpy as np
from mpi4py import MPI


class ShardReader:
    def __init__(self, nshards, rows, dim, seed=0):
        self.nshards, self.rows, self.dim, self.seed = nshards, rows, dim, seed
        self.truth = np.random.default_rng(seed).normal(size=dim)

    def load(self, i):
        # stands for np.load(f"shard_{i:04d}.npz")
        rng = np.random.default_rng([self.seed, i])
        x = rng.normal(size=(self.rows, self.dim))
        p = 1 / (1 + np.exp(-x @ self.truth))
        return x, (rng.random(self.rows) < p).astype(float)


class ShardSampler:
    def __init__(self, n, rank, size, shuffle=True, drop_last=True):
        self.n, self.rank, self.size = n, rank, size
        self.shuffle = shuffle
        self.drop_last = drop_last
        self.epoch = 0

    def set_epoch(self, e):
        self.epoch = e

    def indices(self):
        order = np.arange(self.n)
        if self.shuffle:
            np.random.default_rng(1000 + self.epoch).shuffle(order)
        if self.drop_last:
            order = order[: self.n - self.n % self.size]
        return order[self.rank::self.size]

    def __iter__(self):
        return iter(self.indices())

    def __len__(self):
        return len(self.indices())


class LogisticModel:
    def __init__(self, dim):
        self.w = np.zeros(dim)

    def loss_grad(self, x, y):
        z = x @ self.w
        p = 1 / (1 + np.exp(-z))
        eps = 1e-12
        loss = -np.mean(y * np.log(p + eps) + (1 - y) * np.log(1 - p + eps))
        return loss, x.T @ (p - y) / len(y)


class DataParallelSGD:
    def __init__(self, model, comm, lr):
        self.model, self.comm, self.lr = model, comm, lr

    def average(self, g):
        out = np.empty_like(g)
        self.comm.Allreduce(g, out, op=MPI.SUM)
        return out / self.comm.size

    def fit_epoch(self, reader, sampler):
        total = 0.0
        for i in sampler:
            x, y = reader.load(i)
            loss, g = self.model.loss_grad(x, y)
            self.model.w -= self.lr * self.average(g)
            total += loss
        n = self.comm.allreduce(len(sampler))
        return self.comm.allreduce(total) / n


def build(args, comm):
    reader = ShardReader(args.shards, args.rows, args.dim)
    sampler = ShardSampler(args.shards, comm.rank, comm.size, drop_last=False)
    return reader, sampler


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--shards", type=int, default=16)
    ap.add_argument("--rows", type=int, default=200)
    ap.add_argument("--dim", type=int, default=10)
    ap.add_argument("--epochs", type=int, default=5)
    ap.add_argument("--lr", type=float, default=0.5)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    reader, sampler = build(args, comm)
    opt = DataParallelSGD(LogisticModel(args.dim), comm, args.lr)
    for e in range(args.epochs):
        sampler.set_epoch(e)
        loss = opt.fit_epoch(reader, sampler)
        if comm.rank == 0:
            print(f"epoch {e}: loss {loss:.5f}")
    spread = comm.allreduce(opt.model.w[0], op=MPI.MAX) - comm.allreduce(opt.model.w[0], op=MPI.MIN)
    if comm.rank == 0:
        cos = opt.model.w @ reader.truth / np.linalg.norm(opt.model.w) / np.linalg.norm(reader.truth)
        print(f"cosine with truth {cos:.4f}, spread over ranks {spread:.1e}")


if __name__ == "__main__":
    main()
