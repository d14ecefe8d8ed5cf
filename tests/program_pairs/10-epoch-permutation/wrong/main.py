import collections

import numpy as np
from mpi4py import MPI


class DistributedSampler:
    def __init__(self, n, comm):
        self.n = n
        self.comm = comm
        self.rng = np.random.default_rng()

    def indices(self):
        order = self.rng.permutation(self.n)
        per_rank = self.n // self.comm.size
        start = self.comm.rank * per_rank
        return order[start:start + per_rank]


class LinearModel:
    def __init__(self, dim):
        self.w = np.zeros(dim)
        self.b = 0.0

    def grads(self, x, y):
        err = x @ self.w + self.b - y
        return np.append(x.T @ err, err.sum()) / len(y)

    def apply(self, g, lr):
        self.w -= lr * g[:-1]
        self.b -= lr * g[-1]


def epoch(model, data, sampler, batch, lr):
    x, y = data
    comm = sampler.comm
    idx = sampler.indices()
    for k in range(0, len(idx), batch):
        sel = idx[k:k + batch]
        g = model.grads(x[sel], y[sel])
        mean_g = np.empty_like(g)
        comm.Allreduce(g, mean_g)
        model.apply(mean_g / comm.size, lr)
    return idx


def main():
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(0)
    x = rng.normal(size=(960, 6))
    y = x @ np.arange(1.0, 7.0) + 2.0
    model = LinearModel(6)
    sampler = DistributedSampler(len(y), comm)
    for ep in range(4):
        used = epoch(model, (x, y), sampler, batch=16, lr=0.05)
        seen = comm.gather(used.tolist(), root=0)
        if comm.rank == 0:
            visits = collections.Counter(i for part in seen for i in part)
            mse = float(np.mean((x @ model.w + model.b - y) ** 2))
            print(f"epoch {ep}: {len(visits)} of {len(y)} samples used, mse {mse:.4f}")


if __name__ == "__main__":
    main()
