"""Advance a wave and watch it."""
import numpy as np
from mpi4py import MPI
from utils import reduce_all

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
wave = np.sin(np.linspace(0.0, 3.0, 9) + rank)
for step in range(3):
    amplitude = reduce_all(comm, np.array([np.abs(wave).max()]), MPI.MAX)
    if step == 0 and rank == 0:
        profile = reduce_all(comm, wave)  # change
        print("profile", profile.round(3))
    limit = reduce_all(comm, np.array([wave.min()]), MPI.MIN if rank == 0 else MPI.MAX)  # change
    wave = 0.9 * np.roll(wave, 1)
    total = reduce_all(comm, np.array([wave.sum()]))
print(rank, amplitude, limit, total)
