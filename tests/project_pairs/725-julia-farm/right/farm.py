"""A small task farm: rank 0 deals jobs, the others work on them."""
from mpi4py import MPI

JOB, STOP, DONE = 11, 12, 13


class Dealer:
    def __init__(self, comm):
        self.comm = comm
        self.busy = 0

    def give(self, worker, job):
        self.comm.send(job, dest=worker, tag=JOB)
        self.busy += 1

    def dismiss(self, worker):
        self.comm.send(None, dest=worker, tag=STOP)

    def collect(self):
        status = MPI.Status()
        answer = self.comm.recv(source=MPI.ANY_SOURCE, tag=DONE, status=status)
        self.busy -= 1
        return status.Get_source(), answer

    def start(self, pending):
        for worker in range(1, self.comm.size):
            self.feed(worker, pending)

    def feed(self, worker, pending):
        try:
            self.give(worker, next(pending))
        except StopIteration:
            self.dismiss(worker)

    def results(self, jobs):
        pending = iter(jobs)
        self.start(pending)
        while self.busy:
            worker, answer = self.collect()
            self.feed(worker, pending)
            yield answer


def labour(comm, work):
    status = MPI.Status()
    handled = 0
    while True:
        job = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == STOP:
            return handled
        comm.send((job, work(job)), dest=0, tag=DONE)
        handled += 1


def farm_out(comm, jobs, work):
    """(job, result) pairs on rank 0, nothing on the others."""
    if comm.size == 1:
        return [(job, work(job)) for job in jobs]
    if comm.rank == 0:
        return list(Dealer(comm).results(jobs))
    labour(comm, work)
    return []
