# linear shallow water on a channel, mpi4jax halo exchange, closed ends
import jax

jax.config.update("jax_enable_x64", True)

from typing import NamedTuple

import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

NLOC = 50
G, H = 9.81, 10.0
DX = 100.0
DT = 0.3 * DX / (G * H) ** 0.5


class State(NamedTuple):
    eta: jax.Array
    u: jax.Array


def ghost_from_left(q, wall):
    """Last value of the left neighbour (or the wall value)."""
    template = jnp.zeros(1, dtype=jnp.float32)
    if size == 1:
        return wall
    if rank == 0:
        mpi4jax.send(q[-1:], dest=1, tag=1, comm=comm)
        return wall
    got = mpi4jax.recv(template, source=rank - 1, tag=1, comm=comm)
    if rank < size - 1:
        mpi4jax.send(q[-1:], dest=rank + 1, tag=1, comm=comm)
    return got


def ghost_from_right(q, wall):
    if size == 1:
        return wall
    if rank == size - 1:
        mpi4jax.send(q[:1], dest=rank - 1, tag=2, comm=comm)
        return wall
    got = mpi4jax.recv(jnp.zeros_like(q[:1]), source=rank + 1, tag=2, comm=comm)
    if rank > 0:
        mpi4jax.send(q[:1], dest=rank - 1, tag=2, comm=comm)
    return got


@jax.jit
def step(s: State) -> State:
    # u[i] sits on the right face of cell i
    eta_r = jnp.concatenate([s.eta[1:], ghost_from_right(s.eta, s.eta[-1:])])
    u = s.u - DT * G * (eta_r - s.eta) / DX
    if rank == size - 1:
        u = u.at[-1].set(0.0)
    u_l = jnp.concatenate([ghost_from_left(u, jnp.zeros(1)), u[:-1]])
    eta = s.eta - DT * H * (u - u_l) / DX
    return State(eta, u)


def volume(s):
    return comm.allreduce(float(s.eta.sum()) * DX)


x = (jnp.arange(NLOC) + rank * NLOC + 0.5) * DX
state = State(jnp.exp(-(((x - 20 * DX) / (6 * DX)) ** 2)), jnp.zeros(NLOC))
v0 = volume(state)
for _ in range(150):
    state = step(state)
v1 = volume(state)
peak = comm.allreduce(float(state.eta.max()), op=MPI.MAX)
if rank == 0:
    print(f"volume {v0:.6f} -> {v1:.6f}, highest water {peak:.4f}")
    assert abs(v1 - v0) < 1e-6 * v0
