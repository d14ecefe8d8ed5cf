"""Data-parallel logistic regression with early stopping."""
import numpy as np
from mpi4py import MPI


class EarlyStopping:
    def __init__(self, patience=3, min_delta=1e-3):
        self.patience = patience
        self.min_delta = min_delta
        self.best = float("inf")
        self.bad_epochs = 0

    def should_stop(self, value):
        if value < self.best - self.min_delta:
            self.best = value
            self.bad_epochs = 0
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience


def make_shard(rank, n=400, dim=8):
    rng = np.random.default_rng(50 + rank)
    truth = np.linspace(-1.0, 1.0, dim)
    x = rng.standard_normal((n, dim))
    y = (x @ truth + 0.7 * (rank + 1) * rng.standard_normal(n) > 0).astype(float)
    cut = int(0.8 * n)
    return (x[:cut], y[:cut]), (x[cut:], y[cut:])


def predict(w, x):
    return 1.0 / (1.0 + np.exp(-(x @ w)))


def loss(w, x, y):
    p = np.clip(predict(w, x), 1e-9, 1.0 - 1e-9)
    return float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))


def gradient(w, x, y):
    return x.T @ (predict(w, x) - y) / len(y)


def train(comm, epochs=200, lr=0.5):
    (xt, yt), (xv, yv) = make_shard(comm.rank)
    w = np.zeros(xt.shape[1])
    g = np.empty_like(w)
    stopper = EarlyStopping()
    for epoch in range(epochs):
        comm.Allreduce(gradient(w, xt, yt), g, op=MPI.SUM)
        w -= lr * g / comm.size

        val_loss = loss(w, xv, yv)
        val_loss = comm.allreduce(val_loss, op=MPI.SUM) / comm.size
        if stopper.should_stop(val_loss):
            break
    return w, epoch, stopper.best


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    w, epoch, best = train(comm)
    scores = comm.gather(best, root=0)
    if comm.rank == 0:
        print(f"stopped after epoch {epoch}, validation loss {np.mean(scores):.4f}")
        np.savetxt("weights.txt", w)
