"""Overlap communication with the computation of the interior."""
import numpy as np
from mpi4py import MPI
from halo import Halo

comm = MPI.COMM_WORLD
halo = Halo(comm)
field = np.arange(6.0) * (1 + comm.Get_rank())
space = np.zeros(2)
for _ in range(2):
    edge = field[-2:].copy()
    requests = halo.start(edge, space)
    field[2:-2] *= 0.5
    MPI.Request.Waitall(requests[:1])  # change
    field[:2] += space
print(comm.Get_rank(), field)
