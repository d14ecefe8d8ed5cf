"""Gray-Scott reaction diffusion with mpi4jax.

Slabs of rows on a ring of ranks (periodic in both directions), one halo row on
each side.

    mpirun -n 4 python grayscott.py --n 128 --steps 2000
"""
import argparse
import time
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()
up = (rank - 1) % size
down = (rank + 1) % size

DU, DV = 0.16, 0.08
FEED, KILL = 0.035, 0.065
DT = 1.0


class State(NamedTuple):
    u: jax.Array
    v: jax.Array


def exchange(a):
    """Fill the halo rows a[0] and a[-1] from the neighbours."""
    # last inner row goes down, my upper halo comes from above
    top = mpi4jax.sendrecv(a[-2], a[0], source=up, dest=down, comm=comm)
    # first inner row goes up, my lower halo comes from below
    bottom = mpi4jax.sendrecv(a[1], a[-1], source=down, dest=up, comm=comm)
    return a.at[0].set(top).at[-1].set(bottom)


def laplacian(a):
    inner = a[1:-1]
    return (
        a[:-2] + a[2:] + jnp.roll(inner, 1, axis=1) + jnp.roll(inner, -1, axis=1) - 4.0 * inner
    )


def step(_, state):
    u, v = exchange(state.u), exchange(state.v)
    ui, vi = u[1:-1], v[1:-1]
    uvv = ui * vi * vi
    u = u.at[1:-1].add(DT * (DU * laplacian(u) - uvv + FEED * (1.0 - ui)))
    v = v.at[1:-1].add(DT * (DV * laplacian(v) + uvv - (FEED + KILL) * vi))
    return State(u, v)


@partial(jax.jit, static_argnames="n_steps")
def advance(state, n_steps):
    return jax.lax.fori_loop(0, n_steps, step, state)


@jax.jit
def total_mass(state):
    local = jnp.stack([state.u[1:-1].sum(), state.v[1:-1].sum()])
    return mpi4jax.allreduce(local, op=MPI.SUM, comm=comm)


def initial_state(n, rows):
    u = np.ones((n, n), np.float32)
    v = np.zeros((n, n), np.float32)
    c, r = n // 2, n // 10
    u[c - r:c + r, c - r:c + r] = 0.5
    v[c - r:c + r, c - r:c + r] = 0.25
    v += 0.02 * np.random.default_rng(1).random((n, n), dtype=np.float32)
    mine = slice(rank * rows, (rank + 1) * rows)
    pad = ((1, 1), (0, 0))
    return State(jnp.asarray(np.pad(u[mine], pad)), jnp.asarray(np.pad(v[mine], pad)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=48)
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--report", type=int, default=20)
    args = ap.parse_args()
    if args.n % size:
        raise SystemExit(f"grid size {args.n} is not divisible by {size} ranks")

    rows = args.n // size
    state = initial_state(args.n, rows)
    start = time.perf_counter()
    for done in range(args.report, args.steps + 1, args.report):
        state = advance(state, args.report)
        mass = total_mass(state)
        if rank == 0:
            print(f"step {done:6d}   u {float(mass[0]):12.4f}   v {float(mass[1]):12.4f}", flush=True)

    field = mpi4jax.gather(state.v[1:-1], root=0, comm=comm)
    if rank == 0:
        field = np.asarray(field).reshape(args.n, args.n)
        np.save("v.npy", field)
        print(f"{time.perf_counter() - start:.2f} s, max v {field.max():.4f}")


if __name__ == "__main__":
    main()
