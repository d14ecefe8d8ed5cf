from mpi4py import MPI
class Sync:
    def __init__(self, comm=MPI.COMM_WORLD):
        self.comm = comm
    def __enter__(self):
        self.comm.Barrier()
        return self
    def __exit__(self, *exc):
        self.comm.Barrier()
def f(comm):
    if comm.rank == 0:
        with Sync(comm):  #! JM105
            print("x")
def g():
    if MPI.COMM_WORLD.rank == 0:
        with Sync():  #! JM105
            print("x")
