"""Upwind transport on a line of ranks."""

import numpy as np
from mpi4py import MPI


def neighbours(comm):
    left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
    right = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
    return left, right


def shift_right(comm, u):
    left, right = neighbours(comm)
    comm.Sendrecv(u[-1:], dest=right, recvbuf=u[:1], source=left)


def run(comm, cells=30, steps=25, c=0.5):
    u = np.zeros(cells + 1)
    if comm.rank == 0:
        u[5:15] = 1.0
    for _ in range(steps):
        shift_right(comm, u)
        u[1:] -= c * (u[1:] - u[:-1])
    return u[1:]


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    parts = world.gather(run(world), root=0)
    if world.rank == 0:
        profile = np.concatenate(parts)
        print(f"mass {profile.sum():.6f} peak at cell {int(profile.argmax())}")
