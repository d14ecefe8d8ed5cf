import argparse
import sys

import numpy as np
from mpi4py import MPI

from sampler import TemperedChain
from target import DoubleWell


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--sweeps", type=int, default=400)
    ap.add_argument("--per-sweep", type=int, default=20)
    ap.add_argument("--t-max", type=float, default=20.0)
    return ap.parse_args()


def main():
    args = parse()
    comm = MPI.COMM_WORLD
    chain = TemperedChain(comm, DoubleWell(), t_max=args.t_max)
    trace = chain.run(args.sweeps, args.per_sweep)

    summary = (chain.temp[comm.rank], chain.moves / (args.sweeps * args.per_sweep),
               chain.up.rate, float(np.mean(trace > 0)))
    rows = comm.gather(summary, root=0)
    if comm.rank != 0:
        return 0
    print("   T        acc     swap-up   P(right well)")
    for t, acc, up, pr in rows:
        print(f"{t:7.3f}  {acc:7.3f}  {up:8.3f}  {pr:8.3f}")
    np.save("cold_trace.npy", trace)
    return 0


if __name__ == "__main__":
    sys.exit(main())
