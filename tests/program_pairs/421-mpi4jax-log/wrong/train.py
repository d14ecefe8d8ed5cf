import argparse

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

from metrics import Logger, MetricBook


def predict(w, x):
    return jnp.sin(x @ w["a"]) @ w["b"]


def loss_fn(w, x, y):
    return jnp.mean((predict(w, x) - y) ** 2)


def make_update(comm, lr):
    size = comm.Get_size()

    def pmean(g):
        return mpi4jax.allreduce(g, op=MPI.SUM, comm=comm) / size

    @jax.jit
    def update(w, x, y):
        loss, g = jax.value_and_grad(loss_fn)(w, x, y)
        g = jax.tree_util.tree_map(pmean, g)
        gnorm = jnp.sqrt(sum(jnp.vdot(t, t) for t in jax.tree_util.tree_leaves(g)))
        w = jax.tree_util.tree_map(lambda p, d: p - lr * d, w, g)
        return w, loss, gnorm

    return update


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--log-every", type=int, default=10)
    p.add_argument("--hidden", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.05)
    args = p.parse_args()

    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    ka, kb = jax.random.split(jax.random.PRNGKey(7))
    w = {"a": jax.random.normal(ka, (3, args.hidden)),
         "b": 0.1 * jax.random.normal(kb, (args.hidden,))}

    update = make_update(comm, args.lr)
    book = MetricBook(comm, ["loss", "grad_norm"])
    logger = Logger(comm)
    key = jax.random.fold_in(jax.random.PRNGKey(1), rank)
    for step in range(1, args.steps + 1):
        key, sub = jax.random.split(key)
        x = jax.random.normal(sub, (64, 3))
        y = jnp.sin(x.sum(axis=1))
        w, loss, gnorm = update(w, x, y)
        book.update(loss=loss, grad_norm=gnorm)
        if step % args.log_every == 0:
            logger.log(step, book)
            book.reset()

    if rank == 0:
        print("done, |b| =", float(jnp.linalg.norm(w["b"])))


if __name__ == "__main__":
    main()
