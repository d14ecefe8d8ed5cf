from mpi4py import MPI
class Graph:
    def __init__(self, comm):
        self.comm = comm
    def get(self, meta):
        if meta.remote:
            err = True
            if self.comm.allreduce(err, op=MPI.LOR):
                raise RuntimeError("remote")
