import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
CHUNK = 150_000


def load(total):
    t = np.arange(total) / 1000.0
    return np.sin(t) + 0.1 * np.cos(17.0 * t)


if comm.rank == 0:
    signal = load(CHUNK * comm.size)
    for dest in range(comm.size):
        comm.Send(signal[dest * CHUNK : (dest + 1) * CHUNK], dest=dest, tag=6)
mine = np.empty(CHUNK)
comm.Recv(mine, source=0, tag=6)

power = float(np.sum(mine**2))
total_power = comm.reduce(power, op=MPI.SUM, root=0)
if comm.rank == 0:
    print(f"power {total_power:.4f}")
