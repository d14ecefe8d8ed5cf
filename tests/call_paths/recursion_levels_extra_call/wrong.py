"""Coarsen a field level by level and record its norm."""
import numpy as np
from mpi4py import MPI
from utils import norm

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def coarsen(field, levels, norms):
    norms.append(norm(comm, field))
    if levels == 0:
        return norms
    return coarsen(0.5 * (field[::2] + field[1::2]), levels - 1, norms)


field = np.linspace(0.0, 1.0, 32 if rank == 0 else 16)
depth = int(np.log2(len(field)))
common = comm.allreduce(depth, op=MPI.MIN)
norms = coarsen(field, depth, [])  # change
tables = comm.gather(np.round(norms, 3).tolist(), root=0)
print(rank, tables)
