from mpi4py import MPI
comm = MPI.COMM_WORLD
x = comm.rank
y = 0
comm.Allreduce(x, y)  #! JM203
comm.Bcast(5)  #! JM203
