import time

from mpi4py import MPI

from .protocol import Outcome, Tag


class Worker:
    def __init__(self, comm, fn, manager=0):
        self.comm = comm
        self.fn = fn
        self.manager = manager
        self.handled = 0

    def execute(self, task):
        t0 = time.perf_counter()
        try:
            out = Outcome(task.key, self.fn(task.payload, task.attempts))
        except ArithmeticError as exc:
            out = Outcome(task.key, error=f"{type(exc).__name__}: {exc}")
        out.seconds = time.perf_counter() - t0
        return out

    def run(self):
        status = MPI.Status()
        while True:
            task = self.comm.recv(source=self.manager, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == Tag.STOP:
                return self.handled
            self.comm.send(self.execute(task), dest=self.manager, tag=Tag.RESULT)
            self.handled += 1
