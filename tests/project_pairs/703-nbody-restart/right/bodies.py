"""Direct-sum gravity; every rank owns a contiguous range of bodies."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class State:
    pos: np.ndarray
    vel: np.ndarray
    mass: np.ndarray
    step: int = 0

    @classmethod
    def plummer_like(cls, n, seed):
        rng = np.random.default_rng(seed)
        return cls(rng.normal(size=(n, 3)), 0.1 * rng.normal(size=(n, 3)), np.full(n, 1.0 / n))


def my_range(n, rank, size):
    base, extra = divmod(n, size)
    lo = rank * base + min(rank, extra)
    return lo, lo + base + (rank < extra)


def accelerations(state, lo, hi, soft=0.05):
    d = state.pos[None, :, :] - state.pos[lo:hi, None, :]
    r2 = (d**2).sum(-1) + soft**2
    return (state.mass[None, :, None] * d / r2[..., None] ** 1.5).sum(1)


def advance(comm, state, dt):
    lo, hi = my_range(len(state.mass), comm.rank, comm.size)
    vel = state.vel[lo:hi] + dt * accelerations(state, lo, hi)
    pos = state.pos[lo:hi] + dt * vel
    state.vel = np.concatenate(comm.allgather(vel))
    state.pos = np.concatenate(comm.allgather(pos))
    state.step += 1


def kinetic_energy(comm, state):
    lo, hi = my_range(len(state.mass), comm.rank, comm.size)
    part = 0.5 * float((state.mass[lo:hi, None] * state.vel[lo:hi] ** 2).sum())
    return comm.allreduce(part, op=MPI.SUM)
