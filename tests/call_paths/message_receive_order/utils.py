import numpy as np


def send_to(comm, x, dest):
    comm.Send(np.array(x), dest=dest)


def receive_from(comm, count, source):
    out = np.empty(count)
    comm.Recv(out, source=source)
    return out


def swap_with(comm, x, other):
    out = np.empty(len(x))
    comm.Sendrecv(np.array(x), dest=other, recvbuf=out, source=other)
    return out
