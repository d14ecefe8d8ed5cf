#!/usr/bin/env python
"""Task farm: integrates the Lorenz system for a list of rho values and
estimates the largest Lyapunov exponent.   mpirun -n 4 ./farm.py 12
"""
from mpi4py import MPI
import numpy as np
import sys

TAG_WORK = 1
TAG_DONE = 2
TAG_STOP = 3


def lorenz(s, sigma, rho, beta):
    x, y, z = s
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def rk4(s, dt, *p):
    k1 = lorenz(s, *p)
    k2 = lorenz(s + dt / 2 * k1, *p)
    k3 = lorenz(s + dt / 2 * k2, *p)
    k4 = lorenz(s + dt * k3, *p)
    return s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def lyapunov(rho, nsteps=800, dt=0.01):
    p = (10.0, rho, 8.0 / 3.0)
    a = np.array([1.0, 1.0, 20.0])
    for _ in range(200):
        a = rk4(a, dt, *p)
    d0 = 1e-8
    b = a + np.array([d0, 0, 0])
    total = 0.0
    for _ in range(nsteps):
        a, b = rk4(a, dt, *p), rk4(b, dt, *p)
        d = np.linalg.norm(b - a)
        total += np.log(d / d0)
        b = a + (b - a) * d0 / d
    return total / (nsteps * dt)


class Master:
    def __init__(self, comm, tasks):
        self.comm = comm
        self.queue = list(enumerate(tasks))
        self.results = [None] * len(tasks)
        self.nworkers = comm.Get_size() - 1

    def dispatch(self, worker):
        """next piece of work for `worker`; False if there is none"""
        if not self.queue:
            return False
        self.comm.send(self.queue.pop(0), dest=worker, tag=TAG_WORK)
        return True

    def stop(self, worker):
        self.comm.send(None, dest=worker, tag=TAG_STOP)

    def prime(self):
        busy = 0
        for w in range(1, self.nworkers + 1):
            if self.dispatch(w):
                busy += 1
            else:
                self.stop(w)
        return busy

    def run(self):
        busy = self.prime()
        status = MPI.Status()
        while busy:
            idx, value = self.comm.recv(source=MPI.ANY_SOURCE, tag=TAG_DONE, status=status)
            self.results[idx] = value
            w = status.Get_source()
            if not self.dispatch(w):
                self.stop(w)
                busy -= 1
        return self.results


class Worker:
    def __init__(self, comm):
        self.comm = comm
        self.ndone = 0

    def run(self):
        status = MPI.Status()
        while True:
            msg = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == TAG_STOP:
                return self.ndone
            idx, rho = msg
            self.comm.send((idx, lyapunov(rho)), dest=0, tag=TAG_DONE)
            self.ndone += 1


def main():
    comm = MPI.COMM_WORLD
    if comm.Get_size() < 2:
        print("need at least two processes")
        comm.Abort(1)

    ntasks = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    rhos = np.linspace(15.0, 40.0, ntasks)

    if comm.rank == 0:
        lam = Master(comm, rhos).run()
        done = 0
    else:
        lam = None
        done = Worker(comm).run()

    stats = comm.gather(done, root=0)
    if comm.rank == 0:
        for r, l in zip(rhos, lam):
            print("rho = %6.2f   lambda = %8.4f  %s" % (r, l, "chaotic" if l > 0.1 else ""))
        print("tasks per worker:", stats[1:])


if __name__ == "__main__":
    main()
