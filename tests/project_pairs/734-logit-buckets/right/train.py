"""Logistic regression, trained data-parallel on made-up points."""
import numpy as np
from mpi4py import MPI

from bucket import Bucket

TRUTH = np.array([1.5, -2.0, 0.5])


def samples(total, rank, size):
    rng = np.random.default_rng(8)
    x = rng.normal(size=(total, len(TRUTH)))
    y = (rng.random(total) < 1 / (1 + np.exp(-x @ TRUTH))).astype(float)
    return x[rank::size], y[rank::size]


def small_batches(x, y, parts):
    for xs, ys in zip(np.array_split(x, parts), np.array_split(y, parts)):
        yield xs, ys


class Model:
    def __init__(self, comm, features, parts):
        self.w = np.zeros(features)
        self.parts = parts
        self.bucket = Bucket(comm, features, every=parts)

    def gradient(self, x, y):
        return x.T @ (1 / (1 + np.exp(-x @ self.w)) - y)

    def epoch(self, x, y, rate=1.0):
        for xs, ys in small_batches(x, y, self.parts):
            self.bucket.add(self.gradient(xs, ys), len(ys))
            if self.bucket.full:
                self.w -= rate * self.bucket.mean()
                self.bucket.clear()


def main(total=301, epochs=8):
    comm = MPI.COMM_WORLD
    x, y = samples(total, comm.rank, comm.size)
    model = Model(comm, x.shape[1], parts=3)
    for _ in range(epochs):
        model.epoch(x, y)
    hits = comm.reduce(int(((x @ model.w > 0) == (y > 0.5)).sum()), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print("weights", model.w.round(6).tolist(), "hits", hits, "of", total)


if __name__ == "__main__":
    main()
