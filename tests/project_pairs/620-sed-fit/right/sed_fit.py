"""Fit of a two-temperature dust spectrum; chi^2 is summed over all processes.

Rank 0 drives scipy's optimiser, the other ranks serve chi^2 requests.
"""
import argparse
import sys

import numpy as np
from mpi4py import MPI
from scipy.optimize import minimize

HK = 47.992            # h/k in K/THz
NPIX = 400


def greybody(nu, log_n, temp, beta=1.8):
    return 10.0 ** log_n * (nu / 1.0) ** (3 + beta) / np.expm1(HK * nu / temp)


def model(nu, theta):
    return greybody(nu, theta[0], theta[1]) + greybody(nu, theta[2], theta[3])


class DistributedChi2:
    """Callable on rank 0; the other ranks run serve() until they are released."""

    def __init__(self, comm, nu, flux, sigma):
        self.comm = comm
        self.nu, self.flux, self.sigma = nu, flux, sigma
        self.ncalls = 0

    def _local(self, theta):
        r = (self.flux - model(self.nu, theta)) / self.sigma
        return float((r ** 2).sum())

    def __call__(self, theta):
        self.ncalls += 1
        self.comm.bcast(np.asarray(theta), root=0)
        return self.comm.reduce(self._local(theta), root=0)

    def serve(self):
        while True:
            theta = self.comm.bcast(None, root=0)
            if theta is None:
                return
            self.comm.reduce(self._local(theta), root=0)

    def release(self):
        self.comm.bcast(None, root=0)


def observe(rank, size):
    truth = np.array([2.0, 20.0, -1.0, 45.0])
    mine = NPIX // size + (rank < NPIX % size)
    rng = np.random.default_rng([8, rank])
    nu = rng.uniform(0.4, 4.0, mine)
    clean = model(nu, truth)
    sigma = 0.03 * clean + 1e-3
    return nu, clean + sigma * rng.standard_normal(mine), sigma


def fit(chi2, start, maxiter):
    def progress(theta):
        if chi2.ncalls % 100 < 2:
            print(f"  calls {chi2.ncalls:5d}  T = {theta[1]:.2f} K, {theta[3]:.2f} K", flush=True)

    res = minimize(chi2, start, method="Nelder-Mead", callback=progress,
                   options={"maxiter": maxiter, "xatol": 1e-3, "fatol": 1e-3})
    chi2.release()
    if not res.success:
        print(f"no convergence: {res.message}", file=sys.stderr)
        return None
    return res


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--maxiter", type=int, default=1500)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    chi2 = DistributedChi2(comm, *observe(comm.rank, comm.size))
    if comm.rank != 0:
        chi2.serve()
        return

    res = fit(chi2, [1.8, 18.0, -1.2, 50.0], args.maxiter)
    if res is not None:
        t_cold, t_warm = res.x[1], res.x[3]
        print(f"cold {t_cold:.2f} K, warm {t_warm:.2f} K, "
              f"chi2/dof {res.fun / (NPIX - 4):.3f}, {chi2.ncalls} evaluations")


if __name__ == "__main__":
    main()
