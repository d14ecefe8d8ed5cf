"""Messages between the workers and the server."""
from enum import IntEnum

import numpy as np
from mpi4py import MPI


class Tag(IntEnum):
    PULL = 1
    WEIGHTS = 2
    PUSH = 3


def pull(comm, server, out):
    comm.send(None, dest=server, tag=Tag.PULL)
    comm.Recv(out, source=server, tag=Tag.WEIGHTS)
    return out


def push(comm, server, grad):
    comm.Send(np.ascontiguousarray(grad), dest=server, tag=Tag.PUSH)


def next_message(comm):
    status = MPI.Status()
    comm.Probe(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
    return status.Get_source(), status.Get_tag()
