from collections import deque
from enum import IntEnum

from mpi4py import MPI


class Tag(IntEnum):
    WORK = 1
    DONE = 2
    STOP = 3


class Farm:
    """Rank 0 hands out items, the other ranks evaluate them."""

    def __init__(self, comm, func):
        self.comm = comm
        self.func = func

    def run(self, items):
        if self.comm.size == 1:
            return [self.func(it) for it in items]
        if self.comm.rank == 0:
            return self._manage(items)
        self._work()
        return None

    def _manage(self, items):
        queue = deque(enumerate(items))
        results = [None] * len(queue)
        active = 0
        for worker in range(1, self.comm.size):
            if queue:
                self.comm.send(queue.popleft(), dest=worker, tag=Tag.WORK)
                active += 1
        status = MPI.Status()
        while active:
            idx, value = self.comm.recv(source=MPI.ANY_SOURCE, tag=Tag.DONE, status=status)
            results[idx] = value
            worker = status.Get_source()
            if queue:
                self.comm.send(queue.popleft(), dest=worker, tag=Tag.WORK)
            else:
                self.comm.send(None, dest=worker, tag=Tag.STOP)
                active -= 1
        return results

    def _work(self):
        status = MPI.Status()
        while True:
            job = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == Tag.STOP:
                return
            idx, item = job
            self.comm.send((idx, self.func(item)), dest=0, tag=Tag.DONE)
