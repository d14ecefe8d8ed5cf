from mpi4py import MPI
comm = MPI.COMM_WORLD
def f(n, bad):
    done = False
    while not done:
        comm.Barrier()  #! JM108
        if comm.rank == 0:
            if bad():
                done = True
