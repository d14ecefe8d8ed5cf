from mpi4py import MPI
class Dat:
    def __init__(self, comm):
        self.comm = comm
    def work(self):
        self.comm.Barrier()
class Mesh:
    def __init__(self, comm):
        self.comm = comm
        self.dat = Dat(comm)
    def show(self):
        if self.dat.comm.rank == 0:
            self.dat.work()  #! JM101
