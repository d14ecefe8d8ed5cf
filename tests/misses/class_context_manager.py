from mpi4py import MPI

class temp_comm:
    def __init__(self, comm):
        self.user = comm
        self.inner = comm.Dup()
    def __enter__(self):
        return self.inner
    def __exit__(self, *exc):
        pass

def mult(outer, x):
    a = None
    if outer.rank == 0:
        a = x.array
    with temp_comm(outer) as comm:
        comm.bcast(a)  #! JM201
    return a + 1
