"""Data-parallel logistic regression with shards of unequal length.

The ranks have different numbers of samples, so different numbers of local
batches; they take a common number of steps (the maximum) and a rank that has
run out contributes a zero gradient with weight zero."""
import numpy as np
from mpi4py import MPI

DIM = 5
BATCH = 8
EPOCHS = 15


def shard_bounds(n, size):
    """Deliberately uneven: rank r gets a share proportional to r + 1."""
    weights = np.arange(1, size + 1, dtype=float)
    edges = np.floor(np.concatenate([[0.0], np.cumsum(weights)]) / weights.sum() * n)
    return edges.astype(int)


def make_data(n):
    rng = np.random.default_rng(7)
    x = rng.normal(size=(n, DIM))
    truth = np.array([1.5, -2.0, 0.5, 0.0, 1.0])
    y = (x @ truth + 0.3 * rng.normal(size=n) > 0).astype(float)
    return x, y


def gradient(w, x, y):
    if len(y) == 0:
        return np.zeros_like(w), 0.0
    z = x @ w
    p = 1.0 / (1.0 + np.exp(-z))
    loss = float(np.sum(np.logaddexp(0.0, z) - y * z))
    return x.T @ (p - y), loss


class ShardLoader:
    def __init__(self, x, y, batch):
        self.x, self.y, self.batch = x, y, batch

    def __len__(self):
        return -(-len(self.y) // self.batch)

    def __getitem__(self, step):
        sl = slice(step * self.batch, (step + 1) * self.batch)
        return self.x[sl], self.y[sl]


def train(comm, loader, epochs):
    w = np.zeros(DIM)
    steps = comm.allreduce(len(loader), op=MPI.MAX)
    history = []
    packed = np.empty(DIM + 2)
    for _ in range(epochs):
        epoch_loss = 0.0
        for step in range(steps):
            xb, yb = loader[step]           # empty once the shard is exhausted
            g, loss = gradient(w, xb, yb)
            packed[:DIM], packed[DIM], packed[DIM + 1] = g, loss, len(yb)
            comm.Allreduce(MPI.IN_PLACE, packed, op=MPI.SUM)
            w -= 0.5 * packed[:DIM] / packed[DIM + 1]
            epoch_loss += packed[DIM]
        history.append(epoch_loss)
    return w, history, steps


def serial_train(x, y, edges, epochs):
    shards = [ShardLoader(x[a:b], y[a:b], BATCH) for a, b in zip(edges[:-1], edges[1:])]
    w = np.zeros(DIM)
    for _ in range(epochs):
        for step in range(max(len(s) for s in shards)):
            parts = [s[step] for s in shards]
            g = sum(gradient(w, *p)[0] for p in parts)
            w = w - 0.5 * g / sum(len(p[1]) for p in parts)
    return w


def main():
    comm = MPI.COMM_WORLD
    x, y = make_data(403)
    edges = shard_bounds(len(y), comm.size)
    lo, hi = edges[comm.rank], edges[comm.rank + 1]
    loader = ShardLoader(x[lo:hi], y[lo:hi], BATCH)

    w, history, steps = train(comm, loader, EPOCHS)

    # all replicas agree bit for bit with rank 0
    reference = w.copy()
    comm.Bcast(reference, root=0)
    same = comm.allreduce(bool(np.array_equal(w, reference)), op=MPI.LAND)
    assert same, "replicas diverged"
    assert comm.allreduce(hi - lo) == len(y)
    assert history[-1] < history[0]

    if comm.rank == 0:
        np.testing.assert_allclose(w, serial_train(x, y, edges, EPOCHS), rtol=1e-8, atol=1e-10)
    spare = steps - len(loader)
    idle = comm.reduce(spare, op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"steps/epoch {steps}, idle batches {idle}, loss {history[0]:.2f} -> {history[-1]:.2f}")


if __name__ == "__main__":
    main()
