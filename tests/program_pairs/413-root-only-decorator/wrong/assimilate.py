"""Ensemble Kalman filter for Lorenz-96; members are spread over the ranks."""
import argparse
import functools
import numpy as np
from mpi4py import MPI


def root_only(fn):
    """run the method on rank 0 only, None elsewhere"""
    @functools.wraps(fn)
    def wrapper(self, *args, **kwargs):
        if self.comm.rank != 0:
            return None
        return fn(self, *args, **kwargs)
    return wrapper


def l96(x, F=8.0):
    return (np.roll(x, -1, -1) - np.roll(x, 2, -1)) * np.roll(x, 1, -1) - x + F


def integrate(x, dt=0.05, n=1):
    for _ in range(n):
        k1 = l96(x)
        k2 = l96(x + dt / 2 * k1)
        k3 = l96(x + dt / 2 * k2)
        k4 = l96(x + dt * k3)
        x = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


class Ensemble:
    def __init__(self, comm, dim, members, obs_err):
        self.comm = comm
        self.dim = dim
        self.obs_err = obs_err
        self.rng = np.random.default_rng([9, comm.rank])
        n = members // comm.size + (comm.rank < members % comm.size)
        self.x = 8.0 + self.rng.normal(size=(n, dim))
        self.truth = None
        self._start_truth()

    @root_only
    def _start_truth(self):
        t = 8.0 + 0.01 * np.random.default_rng(1).normal(size=self.dim)
        self.truth = integrate(t, n=200)

    @root_only
    def report(self, cycle, rmse, spread):
        print(f"cycle {cycle:3d}  rmse {rmse:7.3f}  spread {spread:7.3f}")

    @root_only
    def observe(self):
        """the observation vector of this cycle, the same on all ranks"""
        self.truth = integrate(self.truth)
        y = self.truth + self.obs_err * self.rng.normal(size=self.dim)
        return self.comm.bcast(y, root=0)

    def moments(self):
        n = self.comm.allreduce(len(self.x))
        mean = self.comm.allreduce(self.x.sum(0)) / n
        d = self.x - mean
        cov = self.comm.allreduce(d.T @ d) / (n - 1)
        return mean, cov

    def forecast(self):
        self.x = integrate(self.x)

    def analyse(self, y):
        mean, cov = self.moments()
        idx = np.arange(self.dim)
        loc = np.abs(idx[:, None] - idx)
        loc = np.minimum(loc, self.dim - loc)
        P = 1.1 * cov * np.exp(-(loc / 4.0) ** 2)
        R = self.obs_err ** 2 * np.eye(self.dim)
        K = P @ np.linalg.inv(P + R)
        pert = y + self.obs_err * self.rng.normal(size=self.x.shape)
        self.x = self.x + (pert - self.x) @ K.T

    @root_only
    def error(self, mean):
        return float(np.sqrt(np.mean((mean - self.truth) ** 2)))


def cycle(ens, k):
    ens.forecast()
    y = ens.observe()
    ens.analyse(y)
    mean, cov = ens.moments()
    ens.report(k, ens.error(mean), float(np.sqrt(np.trace(cov) / ens.dim)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", type=int, default=20)
    ap.add_argument("--members", type=int, default=30)
    ap.add_argument("--cycles", type=int, default=10)
    ap.add_argument("--obs-err", type=float, default=1.0)
    args = ap.parse_args()
    ens = Ensemble(MPI.COMM_WORLD, args.dim, args.members, args.obs_err)
    for k in range(args.cycles):
        cycle(ens, k)


if __name__ == "__main__":
    main()
