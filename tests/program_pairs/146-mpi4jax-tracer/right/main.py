"""Periodic Burgers equation with mpi4jax halos and a diagnostics log."""
import argparse
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
LEFT, RIGHT = (rank - 1) % size, (rank + 1) % size


class State(NamedTuple):
    u: jnp.ndarray
    t: jnp.ndarray


class Grid(NamedTuple):
    n: int
    first: int
    dx: float


def make_grid(total):
    base, extra = divmod(total, size)
    n = base + (1 if rank < extra else 0)
    return Grid(n, rank * base + min(rank, extra), 1.0 / total)


def initial(grid):
    x = (grid.first + jnp.arange(grid.n) + 0.5) * grid.dx
    return State(1.0 + 0.5 * jnp.sin(2 * jnp.pi * x), jnp.zeros(()))


def with_ghosts(u):
    low = mpi4jax.sendrecv(u[-1:], u[:1], source=LEFT, dest=RIGHT, comm=comm)
    high = mpi4jax.sendrecv(u[:1], u[-1:], source=RIGHT, dest=LEFT, comm=comm)
    return jnp.concatenate([low, u, high])


@partial(jax.jit, static_argnames=("dx", "dt", "nu"))
def step(state, dx, dt, nu):
    g = with_ghosts(state.u)
    flux = 0.5 * g ** 2
    advection = (flux[1:-1] - flux[:-2]) / dx
    diffusion = nu * (g[2:] - 2 * g[1:-1] + g[:-2]) / dx ** 2
    return State(state.u + dt * (diffusion - advection), state.t + dt)


@partial(jax.jit, static_argnames="dx")
def diagnostics(state, dx):
    sums = jnp.array([state.u.sum(), (0.5 * state.u ** 2).sum()]) * dx
    sums = mpi4jax.allreduce(sums, op=MPI.SUM, comm=comm)
    peak = mpi4jax.allreduce(jnp.abs(state.u).max(), op=MPI.MAX, comm=comm)
    return sums[0], sums[1], peak


class Reporter:
    def __init__(self, grid, every):
        self.grid, self.every = grid, every
        if rank == 0:
            print("   t       mass      energy     peak")

    def __call__(self, number, state):
        if number % self.every:
            return
        mass, energy, peak = diagnostics(state, self.grid.dx)
        if rank == 0:
            print(f"{float(state.t):.4f}  {float(mass):.6f}  {float(energy):.6f}  {float(peak):.5f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cells", type=int, default=203)
    ap.add_argument("--steps", type=int, default=120)
    args = ap.parse_args()
    grid = make_grid(args.cells)
    state = initial(grid)
    report = Reporter(grid, every=40)
    for number in range(1, args.steps + 1):
        state = step(state, grid.dx, 5e-4, 2e-3)
        report(number, state)


if __name__ == "__main__":
    main()
