from functools import lru_cache
from mpi4py import MPI
@lru_cache(maxsize=32)
def make(n, comm_id):
    comm = MPI.COMM_WORLD.f2py(comm_id)
    return comm.bcast(n, root=0)
