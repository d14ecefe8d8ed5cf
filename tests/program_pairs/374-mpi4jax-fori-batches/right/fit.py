"""Stochastic gradient fit of a damped oscillation; gradients are summed with mpi4jax.

usage: mpirun -n 3 python fit.py [--samples 1000] [--batch 32]
"""
import argparse
from functools import partial

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from jax import lax
from mpi4py import MPI

comm = MPI.COMM_WORLD


def load_shard(n):
    """Recorded samples, in files of different lengths."""
    edges = [int(n * (r / comm.size) ** 1.5) for r in range(comm.size + 1)]
    t = np.linspace(0, 6, n)[np.random.default_rng(0).permutation(n)]
    y = np.exp(-0.3 * t) * np.cos(2.0 * t)
    mine = slice(edges[comm.rank], edges[comm.rank + 1])
    return jnp.asarray(t[mine]), jnp.asarray(y[mine])


def model(p, t):
    return jnp.exp(-p[0] * t) * jnp.cos(p[1] * t)


def loss(p, t, y):
    return jnp.mean((model(p, t) - y) ** 2)


@partial(jax.jit, static_argnames=("n_batches", "batch"))
def epoch(p, t, y, n_batches, batch):
    def body(k, p):
        start = (k * batch) % (t.shape[0] - batch + 1)
        tb = lax.dynamic_slice_in_dim(t, start, batch)
        yb = lax.dynamic_slice_in_dim(y, start, batch)
        g = jax.grad(loss)(p, tb, yb)
        g = mpi4jax.allreduce(g, op=MPI.SUM, comm=comm) / comm.size
        return p - 0.05 * g

    return lax.fori_loop(0, n_batches, body, p)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--samples", type=int, default=1000)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--epochs", type=int, default=20)
    args = ap.parse_args()

    t, y = load_shard(args.samples)
    n_batches = comm.allreduce(t.shape[0] // args.batch, op=MPI.MIN)
    p = jnp.array([0.5, 1.8])
    for _ in range(args.epochs):
        p = epoch(p, t, y, n_batches, args.batch)

    replicas = comm.gather(np.asarray(p).tolist(), root=0)
    if comm.rank == 0:
        print(f"decay {p[0]:.3f}  frequency {p[1]:.3f}")
        assert all(np.allclose(r, replicas[0]) for r in replicas)


if __name__ == "__main__":
    main()
