import numpy as np


def send_to(comm, x, dest, tag=0):
    comm.Send(np.ascontiguousarray(x), dest=dest, tag=tag)


def receive_from(comm, count, source, tag=0):
    out = np.empty(count)
    comm.Recv(out, source=source, tag=tag)
    return out
