"""Monte Carlo price of an arithmetic Asian call, paths shared out over ranks.

    mpirun -n 4 python asian_mc.py --paths 40000 --seed 3
"""
import argparse
import math

import numpy as np
from mpi4py import MPI


class AsianCall:
    def __init__(self, spot=100.0, strike=100.0, rate=0.03, vol=0.25,
                 expiry=1.0, fixings=50):
        self.spot, self.strike = spot, strike
        self.rate, self.vol = rate, vol
        self.expiry, self.fixings = expiry, fixings

    def payoffs(self, rng, n):
        dt = self.expiry / self.fixings
        z = rng.standard_normal((n, self.fixings))
        drift = (self.rate - 0.5 * self.vol ** 2) * dt
        logs = np.cumsum(drift + self.vol * math.sqrt(dt) * z, axis=1)
        mean = self.spot * np.exp(logs).mean(axis=1)
        return math.exp(-self.rate * self.expiry) * np.maximum(mean - self.strike, 0)


def share(total, rank, size):
    return total // size + (rank < total % size)


def run(comm, option, paths, seed, batch=5000):
    rank, size = comm.Get_rank(), comm.Get_size()
    rng = np.random.default_rng(seed)
    todo = share(paths, rank, size)
    acc = np.zeros(3)                     # count, sum, sum of squares
    blocks = []
    while todo > 0:
        n = min(batch, todo)
        v = option.payoffs(rng, n)
        acc += [n, v.sum(), (v * v).sum()]
        blocks.append(float(v.mean()))
        todo -= n
    total = np.empty_like(acc)
    comm.Allreduce(acc, total, op=MPI.SUM)
    n, s, s2 = total
    mean = s / n
    err = math.sqrt(max(s2 / n - mean ** 2, 0.0) / n)
    return mean, err, comm.gather(blocks, root=0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--paths", type=int, default=60000)
    ap.add_argument("--seed", type=int, default=2024)
    ap.add_argument("--strike", type=float, default=100.0)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    if args.paths < 2:
        if comm.Get_rank() == 0:
            print("need at least two paths")
        return
    price, err, blocks = run(comm, AsianCall(strike=args.strike), args.paths, args.seed)

    if comm.Get_rank() == 0:
        print(f"price {price:.4f} +- {err:.4f}  ({args.paths} paths)")
        for r, b in enumerate(blocks):
            print(f"  rank {r}: " + " ".join(f"{x:.4f}" for x in b))


if __name__ == "__main__":
    main()
