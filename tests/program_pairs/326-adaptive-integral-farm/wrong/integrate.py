"""Adaptive Simpson integration; intervals that need it are split and go back to the queue."""
import argparse
import math

from mpi4py import MPI

TASK, RESULT, STOP = 11, 12, 13


def spiky(x):
    return 1.0 / (1e-4 + (x - 0.3) ** 2) + 1.0 / (4e-4 + (x - 0.9) ** 2) - 6.0


def exact(a, b):
    def f(x):
        return (math.atan((x - 0.3) / 0.01) / 0.01 + math.atan((x - 0.9) / 0.02) / 0.02 - 6.0 * x)
    return f(b) - f(a)


def simpson(f, a, b):
    return (b - a) / 6 * (f(a) + 4 * f(0.5 * (a + b)) + f(b))


def evaluate(a, b, tol):
    """Either (value, []) or (0, two halves)."""
    m = 0.5 * (a + b)
    whole, halves = simpson(spiky, a, b), simpson(spiky, a, m) + simpson(spiky, m, b)
    if abs(halves - whole) < 15 * tol * (b - a):
        return halves + (halves - whole) / 15, []
    return 0.0, [(a, m), (m, b)]


class Master:
    def __init__(self, comm, a, b):
        self.comm = comm
        self.queue = [(a, b)]
        self.idle = list(range(1, comm.size))
        self.busy = set()
        self.total = 0.0
        self.tasks = 0

    def hand_out(self):
        while self.queue and self.idle:
            worker = self.idle.pop()
            self.comm.send(self.queue.pop(), dest=worker, tag=TASK)
            self.busy.add(worker)
            self.tasks += 1

    def take_in(self):
        status = MPI.Status()
        value, more = self.comm.recv(source=MPI.ANY_SOURCE, tag=RESULT, status=status)
        self.busy.remove(status.Get_source())
        self.idle.append(status.Get_source())
        self.total += value
        self.queue += more

    def run(self):
        while self.queue:
            self.hand_out()
            self.take_in()
        for worker in range(1, self.comm.size):
            self.comm.send(None, dest=worker, tag=STOP)
        return self.total


def work(comm, tol):
    status = MPI.Status()
    while True:
        task = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == STOP:
            return
        comm.send(evaluate(*task, tol), dest=0, tag=RESULT)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tol", type=float, default=1e-7)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        master = Master(comm, 0.0, 1.0)
        value = master.run()
        print(f"{master.tasks} intervals: {value:.8f} (exact {exact(0.0, 1.0):.8f})")
    else:
        work(comm, args.tol)


if __name__ == "__main__":
    main()
