"""Diffusion of two blobs on a ring, JAX arrays exchanged by mpi4jax."""
from functools import partial

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

jax.config.update("jax_enable_x64", True)

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()
left = (rank - 1) % size
right = (rank + 1) % size

N_LOCAL = 40
DX = 1.0 / (N_LOCAL * size)
D = 0.1
DT = 0.25 * DX * DX / D


def initial():
    x = (jnp.arange(N_LOCAL) + rank * N_LOCAL + 0.5) * DX
    return jnp.exp(-300 * (x - 0.3) ** 2) + 0.5 * jnp.exp(-400 * (x - 0.65) ** 2)


def with_ghosts(u):
    from_left = mpi4jax.sendrecv(u[-1:], u[:1], source=left, dest=right,
                                 sendtag=1, recvtag=1, comm=comm)
    from_right = mpi4jax.sendrecv(u[:1], u[-1:], source=left, dest=right,
                                  sendtag=2, recvtag=2, comm=comm)
    return jnp.concatenate([from_left, u, from_right])


@partial(jax.jit, static_argnums=1)
def integrate(u, steps):
    def body(_, u):
        g = with_ghosts(u)
        return u + D * DT / DX ** 2 * (g[:-2] - 2 * u + g[2:])
    return jax.lax.fori_loop(0, steps, body, u)


@jax.jit
def mass(u):
    return mpi4jax.allreduce(u.sum() * DX, op=MPI.SUM, comm=comm)


def main():
    u = initial()
    before = mass(u)
    for block in range(4):
        u = integrate(u, 250)
    after = mass(u)
    peaks = mpi4jax.gather(u.max(), root=0, comm=comm)
    if rank == 0:
        print(f"mass before {before:.8f} after {after:.8f}")
        print("highest value", float(peaks.max()))


main()
