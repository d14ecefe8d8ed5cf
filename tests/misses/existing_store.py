import os
import zarr
from mpi4py import MPI
comm = MPI.COMM_WORLD
def save(path, shape):
    if os.path.exists(path):
        raise RuntimeError("path exists")  #! JM103
    if comm.rank == 0:
        zarr.create(store=path, shape=shape)
    comm.Barrier()
def save2(path, shape):
    if os.path.exists(path):
        raise RuntimeError("path exists")  #! JM103
    if comm.rank == 0:
        os.makedirs(path)
    comm.Barrier()
