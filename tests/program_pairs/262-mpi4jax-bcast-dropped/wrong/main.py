import argparse

import jax
import jax.numpy as jnp
import numpy as np
from mpi4py import MPI
import mpi4jax


def init_params(key, sizes):
    params = []
    for m, n in zip(sizes[:-1], sizes[1:]):
        key, sub = jax.random.split(key)
        params.append({"w": jax.random.normal(sub, (m, n)) / jnp.sqrt(m), "b": jnp.zeros(n)})
    return params


def forward(params, x):
    for layer in params[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def loss_fn(params, x, y):
    return jnp.mean((forward(params, x) - y) ** 2)


def sync(tree, comm):
    """Give all ranks the leaves of rank 0."""
    return jax.tree.map(lambda a: mpi4jax.bcast(a, 0, comm=comm), tree)


def average(tree, comm):
    return jax.tree.map(lambda a: mpi4jax.allreduce(a, op=MPI.SUM, comm=comm) / comm.size, tree)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=30)
    ap.add_argument("--lr", type=float, default=0.1)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    params = init_params(jax.random.PRNGKey(comm.rank), [2, 16, 1])
    sync(params, comm)
    rng = np.random.default_rng(comm.rank)
    x = jnp.asarray(rng.uniform(-1, 1, (64, 2)), dtype=jnp.float32)
    y = x[:, :1] * x[:, 1:]

    grad = jax.jit(jax.value_and_grad(loss_fn))
    for _ in range(args.steps):
        value, g = grad(params, x, y)
        g = average(g, comm)
        params = jax.tree.map(lambda p, d: p - args.lr * d, params, g)

    flat = np.concatenate([np.ravel(a) for a in jax.tree.leaves(params)])
    everything = comm.gather(flat, root=0)
    if comm.rank == 0:
        gap = max(np.abs(f - everything[0]).max() for f in everything)
        print(f"loss {float(value):.4f}, largest gap between replicas {gap:.2e}")
        if gap > 0:
            raise SystemExit("replicas differ")


main()
