"""Task farm: period of a pendulum for a list of amplitudes (degrees).

usage: mpirun -n N python farm.py [amplitude ...]
"""
import sys
from enum import IntEnum

import numpy as np
from mpi4py import MPI
from scipy.integrate import quad


class Tag(IntEnum):
    WORK = 1
    DONE = 2
    STOP = 3


def period(amplitude_deg, length=1.0, g=9.81):
    k2 = np.sin(np.radians(amplitude_deg) / 2.0) ** 2
    value, _ = quad(lambda t: 1.0 / np.sqrt(1.0 - k2 * np.sin(t) ** 2),
                    0.0, np.pi / 2.0)
    return 4.0 * np.sqrt(length / g) * value


class Farm:
    def __init__(self, comm):
        self.comm = comm
        self.workers = range(1, comm.size)

    def master(self, jobs):
        answers = [None] * len(jobs)
        queue = list(enumerate(jobs))
        busy = 0
        for worker in self.workers:
            if not queue:
                break
            self.comm.send(queue.pop(0), dest=worker, tag=Tag.WORK)
            busy += 1

        status = MPI.Status()
        while busy:
            number, value = self.comm.recv(source=MPI.ANY_SOURCE, tag=Tag.DONE,
                                           status=status)
            answers[number] = value
            worker = status.Get_source()
            if queue:
                self.comm.send(queue.pop(0), dest=worker, tag=Tag.WORK)
            else:
                self.comm.send(None, dest=worker, tag=Tag.STOP)
                busy -= 1
        return answers

    def worker(self, func):
        status = MPI.Status()
        while True:
            job = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == Tag.STOP:
                break
            number, argument = job
            self.comm.send((number, func(argument)), dest=0, tag=Tag.DONE)


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        sys.exit("farm.py needs at least two processes")
    amplitudes = [float(a) for a in sys.argv[1:]] or [20.0, 90.0]

    farm = Farm(comm)
    if comm.rank != 0:
        farm.worker(period)
        return

    periods = farm.master(amplitudes)
    for amplitude, t in zip(amplitudes, periods):
        print(f"amplitude {amplitude:6.1f} deg   period {t:.6f} s")


if __name__ == "__main__":
    main()
