import logging
from collections import deque

from mpi4py import MPI

from .protocol import Tag

log = logging.getLogger("farm")


class Manager:
    def __init__(self, comm, tasks, retries=1):
        self.comm = comm
        self.queue = deque(tasks)
        self.retries = retries
        self.workers = comm.size - 1
        self.idle = deque(range(1, self.workers + 1))
        self.running = {}
        self.done = {}
        self.failed = {}

    def dispatch(self):
        while self.queue and self.idle:
            task = self.queue.popleft()
            worker = self.idle.popleft()
            task.attempts += 1
            self.running[worker] = task
            self.comm.send(task, dest=worker, tag=Tag.TASK)

    def receive(self):
        status = MPI.Status()
        outcome = self.comm.recv(source=MPI.ANY_SOURCE, tag=Tag.RESULT, status=status)
        worker = status.Get_source()
        task = self.running.pop(worker)
        self.idle.append(worker)
        if outcome.ok:
            self.done[outcome.key] = outcome
        elif task.attempts <= self.retries:
            log.info("%s failed (%s), again", task.key, outcome.error)
            self.queue.append(task)
        else:
            self.failed[outcome.key] = outcome

    def stop(self, workers):
        for w in workers:
            self.comm.send(None, dest=w, tag=Tag.STOP)

    def run(self):
        self.dispatch()
        while self.running:
            self.receive()
            self.dispatch()
        self.stop(range(1, self.workers + 1))
        return self.done, self.failed
