from mpi4py import MPI
class Dat:
    def __init__(self, comm):
        self.comm = comm
    def work(self):
        self.comm.Barrier()
d = Dat(MPI.COMM_WORLD)
if MPI.COMM_WORLD.rank == 0:
    d.work()  #! JM101
