"""Two-dimensional FFT with slab decomposition and a global transpose; spectral Poisson solver."""
import argparse
import sys

import numpy as np
from mpi4py import MPI


class SlabFFT:
    def __init__(self, comm, n):
        if n % comm.size:
            if comm.rank == 0:
                print(f"grid size {n} is no multiple of {comm.size}", file=sys.stderr)
            raise SystemExit(2)
        self.comm, self.n = comm, n
        self.m = n // comm.size
        self.rows = slice(comm.rank * self.m, (comm.rank + 1) * self.m)

    def transpose(self, slab):
        """(m, n) rows of A  ->  (m, n) rows of A^T."""
        send = slab.T
        recv = np.empty((self.comm.size, self.m, self.m), dtype=slab.dtype)
        self.comm.Alltoall([send, MPI.C_DOUBLE_COMPLEX], [recv, MPI.C_DOUBLE_COMPLEX])
        return recv.transpose(1, 0, 2).reshape(self.m, self.n)

    def forward(self, slab):
        half = np.fft.fft(slab, axis=1)
        return np.fft.fft(self.transpose(half), axis=1)

    def backward(self, spec):
        half = np.fft.ifft(spec, axis=1)
        return np.fft.ifft(self.transpose(half), axis=1)


class PoissonSolver:
    """Solves laplace(u) = f on the periodic unit square."""

    def __init__(self, comm, n):
        self.fft = SlabFFT(comm, n)
        k = 2 * np.pi * np.fft.fftfreq(n, d=1.0 / n)
        self.k2 = k[self.fft.rows, None] ** 2 + k[None, :] ** 2
        if comm.rank == 0:
            self.k2[0, 0] = 1.0

    def solve(self, f):
        spec = self.fft.forward(f)
        spec /= -self.k2
        if self.fft.comm.rank == 0:
            spec[0, 0] = 0.0
        return self.fft.backward(spec).real


def source_and_solution(n, rows):
    x = np.arange(n) / n
    xx, yy = np.meshgrid(x[rows], x, indexing="ij")
    u = np.sin(2 * np.pi * xx) * np.cos(4 * np.pi * yy) + 0.3 * np.cos(2 * np.pi * (2 * xx + yy))
    f = (-(2 * np.pi) ** 2 * 5 * np.sin(2 * np.pi * xx) * np.cos(4 * np.pi * yy)
         - 0.3 * (2 * np.pi) ** 2 * 5 * np.cos(2 * np.pi * (2 * xx + yy)))
    return f.astype(complex), u


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=60)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    solver = PoissonSolver(comm, args.n)
    f, exact = source_and_solution(args.n, solver.fft.rows)
    u = solver.solve(f)
    err = comm.reduce(np.abs(u - exact).max(), op=MPI.MAX, root=0)
    norm = comm.reduce((u ** 2).sum(), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"n={args.n} ranks={comm.size} max error {err:.3e} rms {np.sqrt(norm) / args.n:.6f}")


if __name__ == "__main__":
    main()
