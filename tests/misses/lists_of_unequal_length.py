from mpi4py import MPI
comm = MPI.COMM_WORLD
todo = [1, 2]
if comm.rank == 0:
    todo = [1, 2, 3]
for t in todo:
    comm.Barrier()  #! JM108
