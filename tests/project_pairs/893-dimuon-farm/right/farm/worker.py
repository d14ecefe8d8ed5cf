from mpi4py import MPI

from .events import generate, histogram
from .messages import Result, Tag


class Worker:
    def __init__(self, comm, bins):
        self.comm = comm
        self.bins = bins

    def serve(self):
        """Works until the master says stop; returns how many jobs it did."""
        status = MPI.Status()
        done = 0
        while True:
            job = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.tag == Tag.STOP:
                return done
            mass = generate(job)
            result = Result(job.number, mass.size, histogram(mass, self.bins))
            self.comm.send(result, dest=0, tag=Tag.RESULT)
            done += 1
