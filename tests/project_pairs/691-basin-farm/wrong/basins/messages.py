"""Protocol between the manager and its workers."""
import numpy as np
from mpi4py import MPI

TAG_TASK = 1
TAG_HEADER = 2
TAG_PIXELS = 3


def send_task(comm, index, worker):
    comm.send(index, dest=worker, tag=TAG_TASK)


def recv_task(comm, manager=0):
    return comm.recv(source=manager, tag=TAG_TASK)


def send_result(comm, index, pixels, manager=0):
    comm.send((index, pixels.shape), dest=manager, tag=TAG_HEADER)
    comm.Send(np.ascontiguousarray(pixels), dest=manager, tag=TAG_PIXELS)


def recv_result(comm):
    """Next finished tile as (worker, index, pixels)."""
    status = MPI.Status()
    index, shape = comm.recv(source=MPI.ANY_SOURCE, tag=TAG_HEADER, status=status)
    worker = status.Get_source()
    pixels = np.zeros(shape)
    comm.Recv(pixels, source=MPI.ANY_SOURCE, tag=TAG_PIXELS)
    return worker, index, pixels
