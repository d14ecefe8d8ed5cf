import sys
from mpi4py import MPI

class Handler:
    def __init__(self, comm=None):
        self.comm = comm or MPI.COMM_WORLD
        self.log = self.comm.Spawn(sys.executable, args=["child.py"])

    def __del__(self):
        if self.log.rank == 0:
            self.log.Isend([None, MPI.INT], dest=0, tag=1)  #! JM301
        self.log.Disconnect()
