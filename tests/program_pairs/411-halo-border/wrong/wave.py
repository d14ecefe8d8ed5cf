"""String with fixed ends, leap frog. Usage: mpirun -n 3 python wave.py"""
import argparse
import logging
import math

import numpy as np
from mpi4py import MPI


class Communicator:
    """MPI things of the 1-D decomposition live here."""

    def __init__(self, comm):
        self.c = comm
        self.id = comm.Get_rank()
        self.n = comm.Get_size()

    def is_first(self):
        return self.id == 0

    def is_last(self):
        return self.id == self.n - 1

    def neighbour(self, direction):
        other = self.id + direction
        if other < 0:
            return MPI.PROC_NULL
        return other

    def halo(self, u):
        """u[0] and u[-1] are halo points"""
        left, right = self.neighbour(-1), self.neighbour(+1)
        reqs = []
        reqs.append(self.c.Irecv(u[0:1], source=left, tag=1))
        reqs.append(self.c.Irecv(u[-1:], source=right, tag=2))
        reqs.append(self.c.Isend(u[1:2], dest=left, tag=2))
        reqs.append(self.c.Isend(u[-2:-1], dest=right, tag=1))
        MPI.Request.Waitall(reqs)


class String:
    def __init__(self, par, npoints, courant=0.8):
        self.par = par
        self.npoints = npoints
        self.r2 = courant ** 2
        bounds = [npoints * k // par.n for k in range(par.n + 1)]
        self.lo, self.hi = bounds[par.id], bounds[par.id + 1]
        x = np.arange(self.lo - 1, self.hi + 1) / (npoints - 1)
        self.now = np.sin(math.pi * x)
        self.old = self.now.copy()
        self.clamp(self.now)
        self.clamp(self.old)

    def clamp(self, u):
        if self.par.is_first():
            u[0] = u[1] = 0.0
        if self.par.is_last():
            u[-1] = u[-2] = 0.0

    def advance(self):
        u, w = self.now, self.old
        self.par.halo(u)
        new = u.copy()
        new[1:-1] = 2 * u[1:-1] - w[1:-1] + self.r2 * (u[:-2] - 2 * u[1:-1] + u[2:])
        self.clamp(new)
        self.old, self.now = u, new

    def energy(self):
        v = self.now[1:-1] - self.old[1:-1]
        return self.par.c.allreduce(float(v @ v))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--points", type=int, default=300)
    p.add_argument("--steps", type=int, default=200)
    a = p.parse_args()
    par = Communicator(MPI.COMM_WORLD)
    logging.basicConfig(level=logging.INFO if par.is_first() else logging.ERROR, format="%(message)s")
    s = String(par, a.points)
    for k in range(a.steps):
        s.advance()
        if k % 50 == 0:
            e = s.energy()
            logging.info("step %4d kinetic %.6e", k, e)
    peak = par.c.reduce(float(np.abs(s.now[1:-1]).max()), op=MPI.MAX, root=0)
    if par.is_first():
        print("amplitude %.5f" % peak)


if __name__ == "__main__":
    main()
