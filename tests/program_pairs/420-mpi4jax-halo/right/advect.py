"""
Upwind/Lax-Wendroff advection on a periodic line, domain decomposed.

Based on the shallow water example of mpi4jax, but 1-D.  Run with

    mpirun -n 4 python advect.py
"""
import argparse
import time
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from mpi4py import MPI

import mpi4jax

mpi_comm = MPI.COMM_WORLD
mpi_rank = mpi_comm.Get_rank()
mpi_size = mpi_comm.Get_size()

RIGHT = (mpi_rank + 1) % mpi_size
LEFT = (mpi_rank - 1) % mpi_size


class Setup(NamedTuple):
    nx: int
    velocity: float
    dx: float
    dt: float


def make_setup(nx, velocity=1.0, courant=0.5):
    dx = 1.0 / nx
    return Setup(nx, velocity, dx, courant * dx / abs(velocity))


def initial(setup):
    n = setup.nx // mpi_size
    x = (mpi_rank * n + np.arange(n) + 0.5) * setup.dx
    u = np.exp(-((x - 0.5) / 0.1) ** 2)
    return jnp.pad(jnp.asarray(u), 1)


def enforce_boundaries(u):
    """fill both ghost cells with the neighbour's values"""
    # (what I send, where to, where the ghost cell comes from, which ghost cell)
    directions = (
        (-2, RIGHT, LEFT, 0),
        (1, LEFT, RIGHT, -1),
    )
    for send_idx, dest, source, recv_idx in directions:
        ghost = jnp.empty_like(u[recv_idx])
        got = mpi4jax.sendrecv(u[send_idx], ghost, source=source, dest=dest, comm=mpi_comm)
        u = u.at[recv_idx].set(got)
    return u


def lax_wendroff(u, c):
    up, mid, dn = u[2:], u[1:-1], u[:-2]
    new = mid - 0.5 * c * (up - dn) + 0.5 * c ** 2 * (up - 2 * mid + dn)
    return u.at[1:-1].set(new)


@partial(jax.jit, static_argnames=("setup",))
def model_step(u, setup):
    u = enforce_boundaries(u)
    return lax_wendroff(u, setup.velocity * setup.dt / setup.dx)


@jax.jit
def diagnostics(u):
    mass = mpi4jax.allreduce(u[1:-1].sum(), op=MPI.SUM, comm=mpi_comm)
    top = mpi4jax.allreduce(u[1:-1].max(), op=MPI.MAX, comm=mpi_comm)
    return mass, top


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nx", type=int, default=120)
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    if args.nx % mpi_size:
        raise SystemExit("nx must be divisible by the number of processes")

    setup = make_setup(args.nx)
    u = initial(setup)
    u = model_step(u, setup)      # compile
    start = time.perf_counter()
    for it in range(args.steps):
        u = model_step(u, setup)
        if it % 10 == 0:
            mass, top = diagnostics(u)
            if mpi_rank == 0:
                print(f"{it:4d} mass {float(mass):.5f}  max {float(top):.5f}")
    u.block_until_ready()
    if mpi_rank == 0:
        print(f"took {time.perf_counter() - start:.2f} s")

    sol = mpi4jax.gather(u[1:-1], root=0, comm=mpi_comm)
    if mpi_rank == 0:
        print("checksum", float(jnp.abs(jnp.diff(sol.reshape(-1))).sum()))


if __name__ == "__main__":
    main()
