"""Stream trajectory frames from the simulation ranks to a writer on rank 0."""
import sys

import numpy as np
from mpi4py import MPI

NATOMS = 20000
NFRAMES = 12


def advance(pos, vel, dt=0.01):
    vel -= dt * pos
    pos += dt * vel


def producer(comm):
    rank = comm.Get_rank()
    pos = np.full((NATOMS, 3), float(rank))
    vel = np.zeros_like(pos)
    pending = []
    sums = []
    for frame in range(NFRAMES):
        advance(pos, vel)
        sums.append(pos.sum())
        pending.append(comm.Isend(pos, dest=0, tag=frame))
    MPI.Request.Waitall(pending)
    return sums


def writer(comm):
    buf = np.empty((NATOMS, 3))
    sums = {r: [] for r in range(1, comm.Get_size())}
    for frame in range(NFRAMES):
        for src in range(1, comm.Get_size()):
            comm.Recv(buf, source=src, tag=frame)
            sums[src].append(buf.sum())
    return sums


def main():
    comm = MPI.COMM_WORLD
    if comm.Get_size() < 2:
        print("needs a writer and at least one producer")
        return 0

    if comm.Get_rank() == 0:
        received = writer(comm)
        expected = comm.gather(None, root=0)
        bad = 0
        for src, values in received.items():
            wrong = ~np.isclose(values, expected[src])
            bad += int(wrong.sum())
            print(f"source {src}: first {values[0]:.3f} last {values[-1]:.3f}")
        print("frames that differ:", bad)
    else:
        sums = producer(comm)
        comm.gather(sums, root=0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
