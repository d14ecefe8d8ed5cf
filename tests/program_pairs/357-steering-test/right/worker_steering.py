"""Ising workers whose temperature is steered from rank 0 while they run.

Rank 0 sends a new temperature once in a while; the workers go on sweeping
until the message is there.
"""
import math
import time

import numpy as np
from mpi4py import MPI

TAG_TEMPERATURE = 21
TAG_REPORT = 22
SCHEDULE = (3.5, 2.5, 1.5)


class Lattice:
    def __init__(self, n, seed):
        self.rng = np.random.default_rng(seed)
        self.s = self.rng.choice([-1, 1], size=(n, n))
        self.n = n

    def sweep(self, temperature):
        for colour in (0, 1):
            nb = sum(np.roll(self.s, d, axis=a) for a in (0, 1) for d in (1, -1))
            mask = (np.indices(self.s.shape).sum(axis=0) % 2) == colour
            accept = self.rng.random(self.s.shape) < np.exp(-2 * self.s * nb / temperature)
            self.s[mask & accept] *= -1

    def magnetisation(self):
        return abs(float(self.s.mean()))


def controller(comm):
    for temperature in SCHEDULE:
        time.sleep(0.2)
        for w in range(1, comm.size):
            comm.send(temperature, dest=w, tag=TAG_TEMPERATURE)
    for w in range(1, comm.size):
        comm.send(math.nan, dest=w, tag=TAG_TEMPERATURE)
    for _ in range(1, comm.size):
        who, history = comm.recv(source=MPI.ANY_SOURCE, tag=TAG_REPORT)
        text = ", ".join(f"T={t:.1f} after {n} sweeps" for t, n in history)
        print(f"worker {who}: {text}")
        assert [t for t, _ in history] == list(SCHEDULE)


def worker(comm):
    lattice = Lattice(24, seed=comm.rank)
    temperature, sweeps, history = 5.0, 0, []
    request = comm.irecv(source=0, tag=TAG_TEMPERATURE)
    while True:
        lattice.sweep(temperature)
        sweeps += 1
        answer = request.test()
        if answer[0]:
            new = answer[1]
            if math.isnan(new):
                break
            temperature = new
            history.append((temperature, sweeps))
            request = comm.irecv(source=0, tag=TAG_TEMPERATURE)
    comm.send((comm.rank, history), dest=0, tag=TAG_REPORT)


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    controller(comm) if comm.rank == 0 else worker(comm)
