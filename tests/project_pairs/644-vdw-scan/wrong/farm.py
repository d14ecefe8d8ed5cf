"""Dynamic task farm: rank 0 hands out items, the others call a function on them."""
import logging

from mpi4py import MPI

TAG_WORK = 1
TAG_RESULT = 2
TAG_STOP = 3

log = logging.getLogger("farm")


class TaskFarm:
    def __init__(self, func, comm=MPI.COMM_WORLD):
        if comm.size < 2:
            raise SystemExit("the task farm needs at least two ranks")
        self.func = func
        self.comm = comm
        self.results = {}

    @property
    def is_master(self):
        return self.comm.rank == 0

    def map(self, items):
        """Return {index: value} on the master and an empty dict on workers."""
        if self.is_master:
            self._serve(list(items))
        else:
            self._work()
        return self.results

    def _serve(self, items):
        queue = list(enumerate(items))[::-1]
        idle = list(range(1, self.comm.size))
        pending = 0
        status = MPI.Status()
        while queue or pending:
            while queue and idle:
                self.comm.send(queue.pop(), dest=idle.pop(), tag=TAG_WORK)
                pending += 1
            index, value = self.comm.recv(source=MPI.ANY_SOURCE, tag=TAG_RESULT, status=status)
            pending -= 1
            idle.append(status.Get_source())
            self.results[index] = value
        for w in range(1, self.comm.size):
            self.comm.send(None, dest=w, tag=TAG_STOP)

    def _work(self):
        status = MPI.Status()
        while True:
            task = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == TAG_STOP:
                break
            index, item = task
            try:
                value = self.func(item)
            except (ValueError, ArithmeticError) as exc:
                log.warning("rank %d: item %d (%s) failed: %s",
                            self.comm.rank, index, item, exc)
                continue
            self.comm.send((index, value), dest=0, tag=TAG_RESULT)
