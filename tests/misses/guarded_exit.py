from mpi4py import MPI
comm = MPI.COMM_WORLD
def f(bad):
    if comm.rank == 0 and bad():
        return
    comm.Barrier()  #! JM102
