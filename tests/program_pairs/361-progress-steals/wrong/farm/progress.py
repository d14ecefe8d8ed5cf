from mpi4py import MPI

from .tags import PROGRESS


def report(comm, done, total):
    comm.send({"rank": comm.rank, "done": done, "total": total}, dest=0, tag=PROGRESS)


class ProgressCollector:
    """Keeps the last progress message of each worker."""

    def __init__(self, comm):
        self.comm = comm
        self.last = {}
        self.seen = 0

    def _take(self):
        message = self.comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG)
        if isinstance(message, dict):
            self.last[message["rank"]] = message["done"]
        self.seen += 1

    def drain(self):
        while self.comm.iprobe(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG):
            self._take()

    def expect(self, n):
        while self.seen < n:
            self._take()
