import math

from mpi4py import MPI

READY, TASK, STOP = 1, 2, 3


class Master:
    def __init__(self, comm, tasks):
        self.comm = comm
        self.tasks = list(enumerate(tasks))

    def run(self):
        results = {}
        active = self.comm.size - 1
        status = MPI.Status()
        while active:
            report = self.comm.recv(source=MPI.ANY_SOURCE, tag=READY, status=status)
            worker = status.Get_source()
            if report is not None:
                number, value = report
                results[number] = value
            if self.tasks:
                self.comm.send(self.tasks.pop(0), dest=worker, tag=TASK)
            else:
                self.comm.send(None, dest=worker, tag=STOP)
                active -= 1
        return results


class Worker:
    def __init__(self, comm):
        self.comm = comm

    def run(self):
        status = MPI.Status()
        report = None
        while True:
            task = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == STOP:
                break
            number, x = task
            report = (number, math.exp(-x * x))
            self.comm.send(report, dest=0, tag=READY)
