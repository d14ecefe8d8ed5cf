import numpy as np


def send_to(comm, x, dest):
    comm.Send(np.ascontiguousarray(x), dest=dest)


def receive_from(comm, count, source):
    out = np.empty(count)
    comm.Recv(out, source=source)
    return out
