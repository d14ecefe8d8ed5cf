from mpi4py import MPI
comm = MPI.COMM_WORLD
flag = {"go": False}
if comm.rank == 0:
    flag["go"] = True
if flag["go"]:
    comm.Barrier()  #! JM101
