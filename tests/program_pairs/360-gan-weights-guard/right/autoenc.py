"""Tiny linear autoencoder, data parallel, optionally started from saved weights."""
import os
import tempfile

import numpy as np
from mpi4py import MPI

DIM, HIDDEN, SAMPLES = 16, 4, 240


class AutoEncoder:
    def __init__(self, seed=0):
        rng = np.random.default_rng(seed)
        self.enc = rng.normal(0, 0.2, (DIM, HIDDEN))
        self.dec = rng.normal(0, 0.2, (HIDDEN, DIM))

    def set_weights(self, packed):
        k = DIM * HIDDEN
        self.enc[...] = packed[:k].reshape(DIM, HIDDEN)
        self.dec[...] = packed[k:].reshape(HIDDEN, DIM)

    def gradients(self, x):
        h = x @ self.enc
        err = h @ self.dec - x
        return (err**2).mean(), x.T @ (err @ self.dec.T), h.T @ err

    def step(self, comm, x, lr):
        loss, ge, gd = self.gradients(x)
        packed = np.concatenate([ge.ravel(), gd.ravel(), [loss]])
        comm.Allreduce(MPI.IN_PLACE, packed, op=MPI.SUM)
        k = DIM * HIDDEN
        self.enc -= lr * packed[:k].reshape(DIM, HIDDEN) / SAMPLES
        self.dec -= lr * packed[k:-1].reshape(HIDDEN, DIM) / SAMPLES
        return packed[-1] / comm.size


def load_weights(path):
    with np.load(path) as z:
        return np.concatenate([z["enc"].ravel(), z["dec"].ravel()])


def warm_start(comm, model, path):
    weights = None
    if comm.rank == 0 and path and os.path.exists(path):
        weights = load_weights(path)
    found = comm.bcast(weights is not None, root=0)
    if found:
        if comm.rank != 0:
            weights = np.empty(2 * DIM * HIDDEN)
        comm.Bcast(weights, root=0)
        model.set_weights(weights)


def main():
    comm = MPI.COMM_WORLD
    path = None
    if comm.rank == 0:
        path = os.path.join(tempfile.mkdtemp(), "start.npz")
        old = AutoEncoder(seed=99)
        np.savez(path, enc=old.enc, dec=old.dec)

    model = AutoEncoder(seed=0)
    warm_start(comm, model, path)
    data = np.random.default_rng(1).normal(size=(SAMPLES, HIDDEN)) @ \
        np.random.default_rng(2).normal(size=(HIDDEN, DIM))
    mine = data[comm.rank::comm.size]
    for epoch in range(60):
        loss = model.step(comm, mine, lr=0.02)
    sums = comm.gather(float(model.enc.sum()), root=0)
    if comm.rank == 0:
        print(f"loss {loss:.5f}, checksum of the replicas {sums}")
        assert max(sums) - min(sums) < 1e-9


if __name__ == "__main__":
    main()
