import argparse
import logging
import sys

import numpy as np
from mpi4py import MPI

from anneal import Annealer
from lattice import IsingStrip


def build(comm, args):
    rows = args.rows // comm.size
    strip = IsingStrip(comm, rows, args.cols, args.beta_min, args.seed)
    schedule = np.linspace(args.beta_min, args.beta_max, args.stages)
    return strip, Annealer(strip, schedule, args.sweeps, args.check_every)


def main(argv=None):
    ap = argparse.ArgumentParser(description="simulated annealing of an Ising lattice")
    ap.add_argument("--rows", type=int, default=48)
    ap.add_argument("--cols", type=int, default=32)
    ap.add_argument("--beta-min", type=float, default=0.2)
    ap.add_argument("--beta-max", type=float, default=0.9)
    ap.add_argument("--stages", type=int, default=8)
    ap.add_argument("--sweeps", type=int, default=20)
    ap.add_argument("--check-every", type=int, default=20)
    ap.add_argument("--seed", type=int, default=17)
    args = ap.parse_args(argv)

    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if comm.rank == 0 else logging.WARNING)
    strip, annealer = build(comm, args)
    sweeps = annealer.run()
    m = comm.allreduce(strip.magnetisation()) / comm.size
    if comm.rank == 0:
        print(f"{sweeps} sweeps, {len(annealer.stats.records)} records, <m> = {m:+.4f}")


if __name__ == "__main__":
    main()
