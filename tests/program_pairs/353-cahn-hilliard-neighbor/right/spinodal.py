"""1D Cahn-Hilliard equation on a periodic ring of processes."""
import numpy as np
from mpi4py import MPI

N = 192
DX = 1.0
DT = 0.01
KAPPA = 0.5
STEPS = 400


class Ring:
    def __init__(self, comm):
        self.cart = comm.Create_cart([comm.size], periods=[True])
        self.rank, self.size = self.cart.rank, self.cart.size

    def exchange(self, u):
        """Fill the two ghost cells of u."""
        out = np.empty(2)
        got = np.empty(2)
        out[0], out[1] = u[1], u[-2]
        self.cart.Neighbor_alltoall(out, got)
        u[0], u[-1] = got


def laplace(u):
    r = np.zeros_like(u)
    r[1:-1] = (u[2:] - 2 * u[1:-1] + u[:-2]) / DX**2
    return r


def initial(lo, hi):
    x = np.arange(lo, hi)
    c = np.zeros(hi - lo + 2)
    c[1:-1] = 0.3 * np.sin(2 * np.pi * 3 * x / N) + 0.1 * np.cos(2 * np.pi * 7 * x / N)
    return c


def serial():
    c = initial(0, N)
    for _ in range(STEPS):
        c[0], c[-1] = c[-2], c[1]
        mu = c**3 - c - KAPPA * laplace(c)
        mu[0], mu[-1] = mu[-2], mu[1]
        c += DT * laplace(mu)
    return c[1:-1]


def main():
    ring = Ring(MPI.COMM_WORLD)
    lo = N * ring.rank // ring.size
    hi = N * (ring.rank + 1) // ring.size
    c = initial(lo, hi)
    for _ in range(STEPS):
        ring.exchange(c)
        mu = c**3 - c - KAPPA * laplace(c)
        ring.exchange(mu)
        c += DT * laplace(mu)

    parts = ring.cart.gather(c[1:-1], root=0)
    if ring.rank == 0:
        full = np.concatenate(parts)
        err = np.abs(full - serial()).max()
        print(f"mean {full.mean():+.3e}  max {full.max():.4f}")
        print(f"difference from the serial run {err:.2e}")
        if err > 1e-10:
            raise SystemExit(1)


main()
