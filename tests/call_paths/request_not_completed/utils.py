import numpy as np


def start_send(comm, x, dest):
    return comm.Isend(x, dest=dest, tag=3)


def receive_from(comm, count, source):
    out = np.empty(count)
    comm.Recv(out, source=source, tag=3)
    return out
