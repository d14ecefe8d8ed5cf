"""Manager and workers; a farm may be run several times in one job."""
from collections import deque

from mpi4py import MPI

TASK, RESULT, STOP = 1, 2, 3


class Farm:
    def __init__(self, comm, function):
        self.comm = comm
        self.function = function

    def map(self, tasks, on_result):
        """Evaluate all tasks; on_result(task, value) is called on rank 0 only."""
        if self.comm.size == 1:
            for task in tasks:
                on_result(task, self.function(*task))
        elif self.comm.rank == 0:
            self._manage(deque(tasks), on_result)
        else:
            self._work()

    def _give(self, queue, worker):
        if queue:
            self.comm.send(queue.popleft(), dest=worker, tag=TASK)
            return 1
        self.comm.send(None, dest=worker, tag=STOP)
        return 0

    def _manage(self, queue, on_result):
        busy = 0
        for worker in range(1, min(self.comm.size, len(queue) + 1)):
            busy += self._give(queue, worker)
        status = MPI.Status()
        while busy:
            task, value = self.comm.recv(source=MPI.ANY_SOURCE, tag=RESULT, status=status)
            on_result(task, value)
            busy += self._give(queue, status.Get_source()) - 1

    def _work(self):
        status = MPI.Status()
        while True:
            task = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == STOP:
                return
            self.comm.send((task, self.function(*task)), dest=0, tag=RESULT)
