"""Poisson problem in strips with mpi4jax; the whole solve is one jitted loop."""
import jax
import jax.numpy as jnp
import mpi4jax
from jax import lax
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

jax.config.update("jax_enable_x64", True)

NX = 32
ROWS = 12
TOL = 5e-3


def halo(u):
    """Fill the ghost rows of u (ROWS + 2, NX) from the neighbours."""
    if rank > 0:
        u = u.at[0].set(mpi4jax.sendrecv(
            u[1], u[0], source=rank - 1, dest=rank - 1,
            sendtag=10, recvtag=20, comm=comm))
    if rank < size - 1:
        u = u.at[-1].set(mpi4jax.sendrecv(
            u[-2], u[-1], source=rank + 1, dest=rank + 1,
            sendtag=20, recvtag=10, comm=comm))
    return u


def source():
    y = (rank * ROWS + jnp.arange(ROWS) + 0.5) / (ROWS * size)
    x = (jnp.arange(NX) + 0.5) / NX
    return jnp.exp(-40 * ((x[None, :] - 0.4) ** 2 + (y[:, None] - 0.2) ** 2))


@jax.jit
def solve(f):
    def unfinished(carry):
        _, residual, it = carry
        return (residual > TOL) & (it < 3000)

    def sweep(carry):
        u, _, it = carry
        u = halo(u)
        p = jnp.pad(u, ((0, 0), (1, 1)))
        new = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + f)
        residual = jnp.abs(new - u[1:-1]).max()
        residual = mpi4jax.allreduce(residual, op=MPI.MAX, comm=comm)
        return u.at[1:-1].set(new), residual, it + 1

    start = (jnp.zeros((ROWS + 2, NX)), jnp.inf, 0)
    return lax.while_loop(unfinished, sweep, start)


def main():
    u, residual, it = solve(source())
    total = mpi4jax.allreduce(u[1:-1].sum(), op=MPI.SUM, comm=comm)
    total.block_until_ready()
    if rank == 0:
        print(f"{int(it)} sweeps, residual {float(residual):.1e}, "
              f"integral {float(total) / (NX * ROWS * size):.6f}")


if __name__ == "__main__":
    main()
