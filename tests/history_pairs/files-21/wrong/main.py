from pathlib import Path

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

FRAMES, PIXELS = 24, 100
target = Path("stack") / "calibrated.dat"
target.parent.mkdir(exist_ok=True)

shape = (FRAMES, PIXELS)
frames = np.memmap(target, dtype="f4", mode="w+", shape=shape)


def calibrate(number):
    rng = np.random.default_rng(number)
    raw = 100.0 + rng.poisson(50.0, size=PIXELS)
    dark = 100.0
    return (raw - dark) / 50.0


for number in range(rank, FRAMES, size):
    frames[number] = calibrate(number)
frames.flush()
comm.Barrier()

if rank == 0:
    whole = np.memmap(target, dtype="f4", mode="r", shape=shape)
    done = int((whole.mean(axis=1) > 0.5).sum())
    print("frames done:", done, "of", FRAMES)
