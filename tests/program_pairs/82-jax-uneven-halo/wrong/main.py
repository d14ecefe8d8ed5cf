import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

# Matrix-free product with a block-cyclic ring of row blocks:
# y = A x, where A[i, j] = exp(-|i - j| / 10); x travels around the ring.

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()
N = 1001

counts = [N // size + (1 if r < N % size else 0) for r in range(size)]
starts = [int(s) for s in np.cumsum([0] + counts)]


def x_values(lo, hi):
    return jnp.cos(jnp.arange(lo, hi) / 50.0)


@jax.jit
def block_product(rows, cols, x):
    a = jnp.exp(-jnp.abs(rows[:, None] - cols[None, :]) / 10.0)
    return a @ x


def pass_on(x, owner):
    nxt = (rank + 1) % size
    prv = (rank - 1) % size
    incoming = (owner - 1) % size
    x = mpi4jax.sendrecv(x, jnp.zeros_like(x), source=prv, dest=nxt, comm=comm)
    return x, incoming


def main():
    rows = jnp.arange(starts[rank], starts[rank + 1])
    x = x_values(starts[rank], starts[rank + 1])
    owner = rank
    y = jnp.zeros(counts[rank])
    for hop in range(size):
        cols = starts[owner] + jnp.arange(len(x))
        y = y + block_product(rows, cols, x)
        if hop + 1 < size:
            x, owner = pass_on(x, owner)

    norm2 = mpi4jax.allreduce(jnp.vdot(y, y), op=MPI.SUM, comm=comm)
    if rank == 0:
        i = np.arange(N)
        full = np.exp(-np.abs(i[:, None] - i[None]) / 10.0) @ np.cos(i / 50.0)
        print(f"|y| = {float(norm2) ** 0.5:.4f}, dense {np.linalg.norm(full):.4f}")


if __name__ == "__main__":
    main()
