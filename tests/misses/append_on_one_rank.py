from mpi4py import MPI
comm = MPI.COMM_WORLD
todo = []
if comm.rank == 0:
    todo.append(3)
for t in todo:
    comm.Barrier()  #! JM108
