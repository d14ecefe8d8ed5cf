"""A few functions around the communicator of the whole program."""
from mpi4py import MPI

_comm = MPI.COMM_WORLD


def rank():
    return _comm.Get_rank()


def size():
    return _comm.Get_size()


def is_main():
    return _comm.Get_rank() == 0


def total(value):
    return _comm.allreduce(value, op=MPI.SUM)


def everyone(value):
    return _comm.allgather(value)


def wait():
    _comm.Barrier()
