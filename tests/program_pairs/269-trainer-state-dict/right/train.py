"""Linear regression by Adam with optimizer state sharded over the ranks."""
import os

import numpy as np
from mpi4py import MPI

from sharded import ShardedAdam

comm = MPI.COMM_WORLD


def batch(rng, w_true, n):
    x = rng.normal(size=(n, w_true.size))
    return x, x @ w_true + 0.01 * rng.normal(size=n)


def save_checkpoint(path, step, w, opt):
    state = opt.state_dict()
    if comm.rank == 0:
        np.savez(path, step=step, w=w, **state)


def main():
    dim = 30
    w_true = np.linspace(-1, 1, dim)
    rng = np.random.default_rng(100 + comm.rank)
    w = np.zeros(dim)
    opt = ShardedAdam(comm, dim, lr=0.05)
    for step in range(1, 201):
        x, y = batch(rng, w_true, 16)
        grad = 2.0 * x.T @ (x @ w - y) / len(y)
        comm.Allreduce(MPI.IN_PLACE, grad)
        grad /= comm.size
        w = opt.update(w, grad)
        if step % 50 == 0:
            save_checkpoint(f"ckpt_{step}.npz", step, w, opt)
            if comm.rank == 0:
                print(f"step {step:4d} error {np.abs(w - w_true).max():.4f}")
    comm.Barrier()
    if comm.rank == 0:
        with np.load("ckpt_200.npz") as z:
            print("saved:", sorted(z.files), z["m"].shape)
        for step in range(50, 201, 50):
            os.remove(f"ckpt_{step}.npz")


main()
