from mpi4py import MPI
class Communication:
    def __init__(self, handle=MPI.COMM_WORLD):
        self.handle = handle
        self.rank = handle.Get_rank()
        self.size = handle.Get_size()
    def Barrier(self):
        self.handle.Barrier()
    def __getattr__(self, name):
        return getattr(self.handle, name)
WORLD = Communication()
def save(path, chunks):
    if WORLD.rank == 0:
        if chunks == 0:
            raise ValueError("no chunks")  #! JM103
    WORLD.Barrier()
def save2(path, chunks):
    if WORLD.rank == 0:
        WORLD.Barrier()  #! JM101
def save3(path, chunks):
    if WORLD.rank == 0:
        WORLD.barrier()
