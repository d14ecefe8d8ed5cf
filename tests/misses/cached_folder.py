import os
from mpi4py import MPI

class temp_comm:
    def __init__(self, comm):
        self.inner = comm.Get_attr(7) or comm
    def __enter__(self):
        return self.inner
    def __exit__(self, *exc):
        pass

class Writer:
    def __init__(self, filename, comm=None, mode="w"):
        if mode == "a" and not os.path.isfile(filename):
            mode = "w"
        self.comm = comm or MPI.COMM_WORLD
        count = 0
        if self.comm.rank == 0 and mode == "w":
            with open(filename, "w") as f:
                f.write("header")
        if mode == "a":
            with temp_comm(self.comm) as icomm:
                count = icomm.allreduce(count)  #! JM109
        self.count = count
