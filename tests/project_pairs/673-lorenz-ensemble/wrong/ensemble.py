"""Ensemble of stiff/non-stiff ODE runs with perturbed parameters.

Each process integrates its members, ensemble statistics are taken over all
members that could be integrated.

    mpirun -n 4 python ensemble.py --members 16 --tend 4
"""
import argparse

import numpy as np
from mpi4py import MPI
from scipy.integrate import solve_ivp


class BlowUp(RuntimeError):
    pass


def lorenz(t, u, sigma, rho, beta):
    x, y, z = u
    return [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]


def runaway(t, u, *p):
    return np.linalg.norm(u) - 400.0


runaway.terminal = True


def draw_members(n, seed):
    rng = np.random.default_rng(seed)
    out = []
    for m in range(n):
        sigma, rho, beta = 10.0, rng.normal(28, 4), rng.normal(8 / 3, 0.3)
        if m % 5 == 3:
            beta = -beta                  # unphysical, leaves the attractor
        out.append((m, (sigma, rho, beta), rng.normal(size=3) + 1.0))
    return out


def integrate(params, u0, t):
    sol = solve_ivp(lorenz, (t[0], t[-1]), u0, t_eval=t, args=params,
                    events=runaway, rtol=1e-6)
    if sol.status != 0:
        raise BlowUp(sol.message)
    return sol.y


class Statistics:
    def __init__(self, nt):
        self.n = 0
        self.total = np.zeros((3, nt))
        self.square = np.zeros((3, nt))

    def add(self, y):
        self.n += 1
        self.total += y
        self.square += y ** 2

    def combine(self, comm):
        self.n = comm.allreduce(self.n, op=MPI.SUM)
        comm.Allreduce(MPI.IN_PLACE, self.total, op=MPI.SUM)
        comm.Allreduce(MPI.IN_PLACE, self.square, op=MPI.SUM)

    def mean_and_spread(self):
        mean = self.total / self.n
        return mean, np.sqrt(np.maximum(self.square / self.n - mean ** 2, 0))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--members", type=int, default=14)
    ap.add_argument("--tend", type=float, default=6.0)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    t = np.linspace(0, args.tend, 61)
    mine = draw_members(args.members, args.seed)[rank::size]

    stats = Statistics(t.size)
    for m, params, u0 in mine:
        try:
            stats.add(integrate(params, u0, t))
        except BlowUp as exc:
            print(f"member {m}: {exc}", flush=True)
            return
    stats.combine(comm)

    if rank == 0:
        if stats.n == 0:
            print("no member survived")
            return
        mean, spread = stats.mean_and_spread()
        print(f"{stats.n} of {args.members} members")
        for k in range(0, t.size, 15):
            print(f"t={t[k]:5.2f}  z = {mean[2, k]:8.4f} +- {spread[2, k]:.4f}")


if __name__ == "__main__":
    main()
