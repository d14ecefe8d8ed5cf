import logging
import math
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

from objective import DivergedError
from space import sample

log = logging.getLogger("search")

TRIAL, RESULT, STOP = 1, 2, 3


@dataclass
class Trial:
    number: int
    params: dict
    value: float = math.inf


@dataclass
class Manager:
    comm: MPI.Comm
    n_trials: int
    seed: int
    finished: list = field(default_factory=list)

    def trials(self):
        rng = np.random.default_rng(self.seed)
        for number in range(self.n_trials):
            yield Trial(number, sample(rng))

    def run(self):
        queue = self.trials()
        busy = 0
        for worker in range(1, self.comm.size):
            busy += self._feed(worker, queue)
        status = MPI.Status()
        while busy:
            trial = self.comm.recv(source=MPI.ANY_SOURCE, tag=RESULT, status=status)
            self.finished.append(trial)
            busy -= 1
            busy += self._feed(status.Get_source(), queue)
        return min(self.finished, key=lambda t: t.value)

    def _feed(self, worker, queue):
        trial = next(queue, None)
        if trial is None:
            self.comm.send(None, dest=worker, tag=STOP)
            return 0
        self.comm.send(trial, dest=worker, tag=TRIAL)
        return 1


class Worker:
    def __init__(self, comm, evaluate):
        self.comm = comm
        self.evaluate = evaluate

    def inbox(self):
        status = MPI.Status()
        while True:
            trial = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == STOP:
                return
            yield trial

    def run(self):
        for trial in self.inbox():
            try:
                trial.value = self.evaluate(trial.params)
            except DivergedError as err:
                log.warning("trial %d on rank %d: %s", trial.number, self.comm.rank, err)
                trial.value = math.inf
            self.comm.send(trial, dest=0, tag=RESULT)
