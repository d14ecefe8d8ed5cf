"""Manager and workers.

A worker reports the relaxed energy as soon as it has it, so that the manager
can log progress, and sends the frequencies when the Hessian is done.
"""
import enum
import logging
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from .engine import modes, relax

log = logging.getLogger("relaxfarm")


class Tag(enum.IntEnum):
    JOB = 1
    ENERGY = 2
    MODES = 3


@dataclass
class Record:
    number: int
    n_atoms: int
    energy: float
    frequencies: np.ndarray


class Manager:
    def __init__(self, comm, jobs):
        self.comm = comm
        self.jobs = iter(jobs)
        self.running = {}

    def _hand_out(self, worker):
        """Give the worker its next job, or None to send it home."""
        job = next(self.jobs, None)
        self.comm.send(job, dest=worker, tag=Tag.JOB)
        if job is not None:
            self.running[worker] = job

    def _collect(self):
        """Wait for a worker and return it with its record."""
        status = MPI.Status()
        energy = self.comm.recv(source=MPI.ANY_SOURCE, tag=Tag.ENERGY,
                                status=status)
        worker = status.Get_source()
        job = self.running.pop(worker)
        log.info("job %d: energy %.4f", job.number, energy)
        frequencies = self.comm.recv(source=worker, tag=Tag.MODES)
        return worker, Record(job.number, job.n_atoms, energy, frequencies)

    def run(self):
        records = []
        for worker in range(1, self.comm.size):
            self._hand_out(worker)
        while self.running:
            worker, record = self._collect()
            records.append(record)
            self._hand_out(worker)
        return sorted(records, key=lambda record: record.number)


class Worker:
    def __init__(self, comm, manager=0):
        self.comm = comm
        self.manager = manager

    def jobs(self):
        while True:
            job = self.comm.recv(source=self.manager, tag=Tag.JOB)
            if job is None:
                return
            yield job

    def run(self):
        for job in self.jobs():
            energy, positions = relax(job.positions)
            self.comm.send(energy, dest=self.manager, tag=Tag.ENERGY)
            self.comm.send(modes(positions), dest=self.manager,
                           tag=Tag.MODES)
