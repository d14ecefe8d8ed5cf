"""Sends that overlap with the processing of the next tile."""
from mpi4py import MPI


class Outbox:
    """Context manager; leaving it completes all posted sends."""

    def __init__(self, comm, dest):
        self.comm = comm
        self.dest = dest
        self._requests = []

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None:
            MPI.Request.Waitall(self._requests)
        return False

    def post(self, index, tile):
        self._requests.append(
            self.comm.Isend(tile, dest=self.dest, tag=index))


class Inbox:
    """Receives tiles from all ranks, in the order of arrival."""

    def __init__(self, comm, layout):
        self.comm = comm
        self.layout = layout

    def tiles(self, count, buffer):
        status = MPI.Status()
        for _ in range(count):
            self.comm.Recv(buffer, source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG,
                           status=status)
            yield status.Get_tag(), buffer
