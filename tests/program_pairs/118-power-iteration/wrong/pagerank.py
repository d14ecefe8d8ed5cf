"""Dominant eigenvector of a graph's adjacency matrix by distributed power iteration."""
import argparse
import logging

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

logger = logging.getLogger("eigen")


def random_graph(n, p, seed):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) < p, 1)
    weights = np.linspace(0.5, 1.5, n)
    a = (upper | upper.T).astype(float)
    return a * np.sqrt(np.outer(weights, weights)) + np.diag(weights)


class DistributedMatrix:
    """Rows of a symmetric matrix, equally distributed over the communicator."""

    def __init__(self, comm, matrix):
        n = matrix.shape[0]
        if n % comm.size:
            raise ValueError(f"{n} rows cannot be divided among {comm.size} ranks")
        self.comm = comm
        self.rows = n // comm.size
        lo = comm.rank * self.rows
        self.block = jnp.asarray(matrix[lo:lo + self.rows])

    def matvec(self, x_local):
        x = mpi4jax.allgather(x_local, comm=self.comm).reshape(-1)
        return self.block @ x

    def dot(self, a, b):
        partial = jnp.vdot(a, b)
        return mpi4jax.reduce(partial, MPI.SUM, 0, comm=self.comm)


def power_iteration(mat, n_iter):
    @jax.jit
    def step(x):
        y = mat.matvec(x)
        value = mat.dot(x, y) / mat.dot(x, x)
        return y / jnp.sqrt(mat.dot(y, y)), value

    x = jnp.ones(mat.rows)
    value = jnp.nan
    for k in range(n_iter):
        x, value = step(x)
        if k % 10 == 0:
            logger.debug("iteration %d: %s", k, value)
    return x, value


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("-n", type=int, default=120)
    ap.add_argument("--iterations", type=int, default=40)
    ap.add_argument("--debug", action="store_true")
    args = ap.parse_args()
    jax.config.update("jax_enable_x64", True)
    logging.basicConfig(level=logging.DEBUG if args.debug else logging.INFO)

    comm = MPI.COMM_WORLD
    a = random_graph(args.n, 0.08, seed=1)
    x, value = power_iteration(DistributedMatrix(comm, a), args.iterations)
    parts = comm.gather(np.asarray(x))
    if comm.rank == 0:
        vec = np.concatenate(parts)
        print(f"eigenvalue {float(value):.8f}, reference {np.linalg.eigvalsh(a)[-1]:.8f}, "
              f"|x| {np.linalg.norm(vec):.8f}")


if __name__ == "__main__":
    main()
