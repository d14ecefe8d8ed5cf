import pathlib
from mpi4py import MPI
class H:
    def __init__(self, comm, base):
        base = pathlib.Path(base).resolve()
        if not base.is_dir():
            raise ValueError("base should be a folder")
        self.base = base
        if comm.rank == 0:
            self.base.mkdir(exist_ok=True)
        comm.Barrier()
