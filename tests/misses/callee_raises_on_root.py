import subprocess
from mpi4py import MPI

def run(cc):
    try:
        subprocess.check_call(cc)
    except subprocess.CalledProcessError as e:
        raise RuntimeError("compile") from e

def make(comm, cc):
    so = None
    if comm.rank == 0:
        run(cc)  #! JM103
        so = "x.so"
    return comm.bcast(so, root=0)
