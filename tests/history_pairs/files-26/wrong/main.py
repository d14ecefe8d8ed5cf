import os
import shutil

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

base = "wave"
frames = os.path.join(base, "frames")
os.makedirs(frames, exist_ok=True)


def frame(t, n=64):
    x = np.linspace(0.0, 2.0 * np.pi, n)
    return np.sin(x - 0.2 * t) + 0.5 * np.sin(3 * x - 0.6 * t)


written = 0
for t in range(rank, 18, size):
    np.savetxt(os.path.join(frames, f"frame_{t:03d}.txt"), frame(t))
    written += 1

total = comm.allreduce(written)
archive = shutil.make_archive(os.path.join(base, "frames"), "tar", frames)
if rank == 0:
    print("frames:", total, "archive:", os.path.basename(archive))
