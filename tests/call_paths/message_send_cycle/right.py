"""Rotate large blocks of a matrix around the ranks."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def send_to(comm, x, dest):
    comm.Send(x, dest=dest, tag=5)


def receive_from(comm, like, source):
    out = np.empty_like(like)
    comm.Recv(out, source=source, tag=5)
    return out


def rotate(block):
    if rank % size == 0:
        received = receive_from(comm, block, size - 1)
        send_to(comm, block, 1)
    else:
        send_to(comm, block, (rank + 1) % size)
        received = receive_from(comm, block, rank - 1)
    return received


def rotate_all(block):
    return rotate(block)


block = np.full((700, 700), float(rank))
print(rank, block.mean(), rotate_all(block).mean())
