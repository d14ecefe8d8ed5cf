from mpi4py import MPI
comm = MPI.COMM_WORLD
x = float(comm.rank)
best, where = comm.allreduce(x, op=MPI.MINLOC)  #! JM210
