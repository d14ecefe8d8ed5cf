"""1-D Poisson problem with Jacobi iterations inside a jitted while_loop."""
import sys

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

jax.config.update("jax_enable_x64", True)

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def halo(u):
    """Return u with one ghost cell on both sides; outer boundaries are zero."""
    zero = jnp.zeros(1)
    lo = hi = zero
    if rank % 2 == 0:
        if rank + 1 < size:
            hi = mpi4jax.sendrecv(u[-1:], zero, source=rank + 1, dest=rank + 1, comm=comm)
        if rank > 0:
            lo = mpi4jax.sendrecv(u[:1], zero, source=rank - 1, dest=rank - 1, comm=comm)
    else:
        lo = mpi4jax.sendrecv(u[:1], zero, source=rank - 1, dest=rank - 1, comm=comm)
        if rank + 1 < size:
            hi = mpi4jax.sendrecv(u[-1:], zero, source=rank + 1, dest=rank + 1, comm=comm)
    return jnp.concatenate([lo, u, hi])


def make_solver(f, tol, max_iter):
    def cond(carry):
        _, change, it = carry
        return (change > tol) & (it < max_iter)

    def body(carry):
        u, _, it = carry
        g = halo(u)
        new = 0.5 * (g[:-2] + g[2:] + f)
        change = jnp.max(jnp.abs(new - u))
        return new, change, it + 1

    @jax.jit
    def solve(u):
        return jax.lax.while_loop(cond, body, (u, jnp.asarray(jnp.inf), 0))

    return solve


def main(n=20, tol=1e-5, max_iter=2000):
    points = np.array_split(np.arange(1, n + 1), size)[rank]
    h = 1.0 / (n + 1)
    x = points * h
    f = jnp.asarray(np.where(x < 0.3, 40.0 * x, 1.0) * h * h)
    u, change, iterations = make_solver(f, tol, max_iter)(jnp.zeros(points.size))

    total = comm.allreduce(float(u.sum()))
    counts = comm.gather(int(iterations))
    if rank == 0:
        print("iterations %d, integral %.10f" % (counts[0], total * h))


if __name__ == "__main__":
    sys.exit(main())
