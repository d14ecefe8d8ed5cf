import numpy as np


def send_to(comm, x, dest, tag=1):
    comm.Send(x, dest=dest, tag=tag)


def receive_from(comm, count, source, tag=1):
    out = np.empty(count)
    comm.Recv(out, source=source, tag=tag)
    return out
