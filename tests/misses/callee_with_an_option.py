from mpi4py import MPI
comm = MPI.COMM_WORLD
def samples(x, combined):
    if combined:
        x = comm.bcast(x, root=0)
    return x
def products(x, combined):
    if comm.rank == 0:
        x = samples(x, combined)  #! JM105
    return x
