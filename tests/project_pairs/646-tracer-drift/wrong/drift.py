#!/usr/bin/env python
import argparse

import numpy as np
from mpi4py import MPI

from flow import MeanderingJet, heun
from particles import Tracers

L = 8.0


def spread(tr):
    """Second moment of the cloud in y over all ranks."""
    loc = np.array([len(tr), tr.y.sum(), (tr.y**2).sum()])
    tot = np.empty_like(loc)
    tr.comm.Allreduce(loc, tot, op=MPI.SUM)
    n, s, q = tot
    return int(n), q / n - (s / n) ** 2


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=2000)
    ap.add_argument("--dt", type=float, default=0.02)
    ap.add_argument("--steps", type=int, default=400)
    ap.add_argument("--seed", type=int, default=5)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    tr = Tracers(comm, L)
    tr.seed(args.n, centre=(1.0, 0.1), radius=0.4, rng=np.random.default_rng(args.seed))
    flow = MeanderingJet(L)

    moved = 0
    for step in range(args.steps):
        x, y = heun(flow, tr.x, tr.y, step * args.dt, args.dt)
        tr.data[:, 1], tr.data[:, 2] = x % L, y
        moved += tr.migrate()
        if step % 100 == 0:
            n, var = spread(tr)
            if comm.rank == 0:
                print(f"t = {step * args.dt:6.2f}   n = {n}   var(y) = {var:.4f}", flush=True)

    n, var = spread(tr)
    moved = comm.reduce(moved, root=0)
    if comm.rank == 0:
        assert n == args.n, f"lost {args.n - n} tracers"
        print(f"finished: {n} tracers, {moved} migrations, var(y) = {var:.4f}")


if __name__ == "__main__":
    main()
