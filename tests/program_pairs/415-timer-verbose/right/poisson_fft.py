"""Poisson equation on the periodic square with a transposing parallel FFT."""
import argparse
import numpy as np
from mpi4py import MPI

from prof import Section, table


class SlabFFT:
    def __init__(self, comm, n):
        if n % comm.size:
            raise SystemExit("n must be divisible by the number of ranks")
        self.comm, self.n = comm, n
        self.m = n // comm.size
        self.first = comm.rank * self.m

    def transpose(self, a):
        """(m, n) slab of A -> (m, n) slab of A^T"""
        p, m = self.comm.size, self.m
        send = np.ascontiguousarray(a.reshape(m, p, m).transpose(1, 2, 0))
        recv = np.empty_like(send)
        self.comm.Alltoall(send, recv)
        # recv[q] holds columns of mine, rows of q
        return np.ascontiguousarray(recv.transpose(1, 0, 2).reshape(m, self.n))

    def forward(self, a):
        b = np.fft.fft(a, axis=1)
        return np.fft.fft(self.transpose(b), axis=1)

    def backward(self, c):
        b = np.fft.ifft(c, axis=1)
        return np.fft.ifft(self.transpose(b), axis=1)


class PoissonSolver:
    def __init__(self, comm, n, chatty):
        self.comm = comm
        self.fft = SlabFFT(comm, n)
        self.chatty = chatty
        k = np.fft.fftfreq(n, 1.0 / n)
        ky = k[self.fft.first:self.fft.first + self.fft.m]
        k2 = ky[:, None] ** 2 + k[None, :] ** 2
        k2[k2 == 0] = 1.0
        self.inv = -1.0 / k2

    def timed(self, name):
        return Section(name, self.comm, verbose=self.chatty and self.comm.rank == 0)

    def solve(self, rhs):
        with self.timed("forward"):
            c = self.fft.forward(rhs.astype(complex))
        with self.timed("scale"):
            c *= self.inv
        with self.timed("backward"):
            u = self.fft.backward(c)
        return u.real


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=96)
    ap.add_argument("--quiet", action="store_true")
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    solver = PoissonSolver(comm, args.n, chatty=not args.quiet)

    h = 2 * np.pi / args.n
    y = (solver.fft.first + np.arange(solver.fft.m)) * h
    x = np.arange(args.n) * h
    exact = np.sin(2 * x)[None, :] * np.cos(3 * y)[:, None]
    u = solver.solve(-13.0 * exact)
    err = comm.allreduce(float(np.abs(u - exact).max()), op=MPI.MAX)
    rows = table(comm)
    if comm.rank == 0:
        print("max error %.2e" % err)
        for name, t in rows:
            print("%-10s %.5f" % (name, t))


if __name__ == "__main__":
    main()
