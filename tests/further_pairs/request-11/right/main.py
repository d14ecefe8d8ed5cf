"""Rank 0 averages the frames that the other ranks simulate (two ranks or more)."""

import numpy as np
from mpi4py import MPI

from stream import FrameSender

SHAPE = (256, 256)
FRAMES = 8


def simulate(comm):
    sender = FrameSender(comm, 0, SHAPE)
    for k in range(FRAMES):
        sender.push(np.full(SHAPE, 10.0 * comm.rank + k))
    sender.close()


def average(comm):
    frame = np.empty(SHAPE)
    means = np.zeros((comm.size, FRAMES))
    for k in range(FRAMES):
        for worker in range(1, comm.size):
            comm.Recv(frame, source=worker, tag=k)
            means[worker, k] = frame.mean()
    for worker in range(1, comm.size):
        print(f"worker {worker}:", means[worker].round(3).tolist())


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    if world.rank == 0:
        average(world)
    else:
        simulate(world)
