from mpi4py import MPI
comm = MPI.COMM_WORLD
class S:
    go = False
s = S()
if comm.rank == 0:
    s.go = True
if s.go:
    comm.Barrier()  #! JM101
