"""Page rank with the rows of the link matrix divided over the processes (mpi4jax)."""
import argparse
from functools import partial

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

jax.config.update("jax_enable_x64", True)

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def link_rows(n, seed=3):
    """My rows of the column-stochastic matrix of a random web."""
    rng = np.random.default_rng(seed)
    page = np.arange(n)
    same_topic = page[:, None] % 2 == page % 2
    links = rng.random((n, n)) < np.where(same_topic, 6.0, 0.2) / (page + 2)[:, None]
    links[:, links.sum(0) == 0] = True
    matrix = links / links.sum(0)
    per = n // size
    return jnp.asarray(matrix[rank * per:(rank + 1) * per])


@partial(jax.jit, static_argnames=("n", "damping", "tol", "limit"))
def page_rank(rows, n, damping=0.85, tol=1e-10, limit=500):
    def unfinished(state):
        _, change, count = state
        return (change > tol) & (count < limit)

    def body(state):
        mine, _, count = state
        everything = mpi4jax.allgather(mine, comm=comm).reshape(-1)
        new = damping * rows @ everything + (1 - damping) / n
        change = mpi4jax.allreduce(jnp.abs(new - mine).max(), op=MPI.MAX, comm=comm)
        return new, change, count + 1

    start = jnp.full(n // size, 1.0 / n)
    return jax.lax.while_loop(unfinished, body, (start, jnp.inf, 0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=240)
    args = parser.parse_args()
    if args.pages % size:
        raise SystemExit("the pages must be a multiple of the processes")
    rows = link_rows(args.pages)
    mine, change, count = page_rank(rows, args.pages)
    everything = np.asarray(mpi4jax.allgather(mine, comm=comm)).reshape(-1)
    if rank == 0:
        print(f"{int(count)} iterations, change {float(change):.1e}, sum {everything.sum():.8f}")
        print("best pages", np.argsort(everything)[::-1][:4].tolist())


if __name__ == "__main__":
    main()
