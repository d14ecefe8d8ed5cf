"""Manager and worker loops; jobs may split while the farm is running."""
from collections import deque
from math import fsum

from mpi4py import MPI

from messages import Done, Job, Ready, Stop, Tag, TooCoarse
from quad import attempt


class Ledger(dict):
    """Finished panels by integrand."""

    def __missing__(self, key):
        self[key] = []
        return self[key]

    def book(self, done):
        self[done.job.key].append((done.job.a, done.value))

    def totals(self):
        return {k: fsum(v for _, v in sorted(self[k])) for k in sorted(self)}


def manage(comm, jobs):
    queue, ledger = deque(jobs), Ledger()
    idle, busy, status = deque(), 0, MPI.Status()
    outside = set(range(1, comm.size))
    while outside:
        comm.probe(source=MPI.ANY_SOURCE, tag=Tag.TO_MANAGER, status=status)
        sender = status.Get_source()
        match comm.recv(source=sender, tag=Tag.TO_MANAGER):
            case Ready(rank=rank) if rank == sender:
                pass
            case Done() as done:
                ledger.book(done)
                busy -= 1
            case TooCoarse(job=job):
                queue.extend(job.halves())
                busy -= 1
            case other:
                raise TypeError(f"unexpected message {other!r}")
        idle.append(sender)
        while queue and idle:
            comm.send(queue.popleft(), dest=idle.popleft(), tag=Tag.TO_WORKER)
            busy += 1
        if not queue and not busy:
            while idle:
                outside.remove(rank := idle.popleft())
                comm.send(Stop("no work left"), dest=rank, tag=Tag.TO_WORKER)
    return ledger


def work(comm):
    done = 0
    comm.send(Ready(comm.rank), dest=0, tag=Tag.TO_MANAGER)
    while True:
        match comm.recv(source=0, tag=Tag.TO_WORKER):
            case Stop():
                return done
            case Job() as job:
                comm.send(attempt(job), dest=0, tag=Tag.TO_MANAGER)
                done += 1


def alone(jobs):
    queue, ledger = deque(jobs), Ledger()
    while queue:
        match attempt(queue.popleft()):
            case Done() as done:
                ledger.book(done)
            case TooCoarse(job):
                queue.extend(job.halves())
    return ledger
