from enum import IntEnum

from mpi4py import MPI


class Tag(IntEnum):
    DATA = 0
    READY = 1
    TASK = 2
    STATS = 3


class Channel:
    """Object messages between ranks, with a count of what went out."""

    def __init__(self, comm):
        self.comm = comm
        self.sent = 0

    @property
    def rank(self):
        return self.comm.Get_rank()

    @property
    def peers(self):
        return range(1, self.comm.Get_size())

    def send(self, obj, dest, tag=Tag.DATA):
        self.comm.send(obj, dest=dest, tag=int(tag))
        self.sent += 1

    def recv(self, source=MPI.ANY_SOURCE, tag=Tag.DATA):
        st = MPI.Status()
        obj = self.comm.recv(source=source, tag=int(tag), status=st)
        return obj, st.Get_source()
