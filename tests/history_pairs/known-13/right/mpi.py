from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
size = comm.size
is_root = rank == 0


def average(value):
    return comm.allreduce(value, op=MPI.SUM) / size
