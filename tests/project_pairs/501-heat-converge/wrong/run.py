import argparse
import logging
import sys

import numpy as np
from mpi4py import MPI

from grid import Slab
from monitor import ResidualMonitor
from solver import JacobiSolver, mean_temperature


def parse_args(argv=None):
    p = argparse.ArgumentParser(description="steady temperature of a plate")
    p.add_argument("--ny", type=int, default=48)
    p.add_argument("--nx", type=int, default=40)
    p.add_argument("--tol", type=float, default=2e-4)
    p.add_argument("--omega", type=float, default=0.9)
    p.add_argument("--max-iter", type=int, default=6000)
    p.add_argument("--hot", type=float, default=1.0)
    p.add_argument("--cold", type=float, default=0.0)
    p.add_argument("--report-every", type=int, default=200)
    return p.parse_args(argv)


def setup_logging(rank):
    level = logging.INFO if rank == 0 else logging.WARNING
    logging.basicConfig(stream=sys.stdout, level=level, format="%(name)s: %(message)s")


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    setup_logging(comm.rank)
    log = logging.getLogger("run")

    slab = Slab(comm, args.ny, args.nx)
    monitor = ResidualMonitor(args.tol)
    solver = JacobiSolver(slab, monitor, vars(args))

    @solver.on_step
    def report(it, s):
        if it % args.report_every == 0:
            mean = mean_temperature(s.slab)
            log.info("sweep %5d  mean %.6f  change %.3e", it, mean, s.monitor.last)

    steps = solver.run()
    mean = mean_temperature(slab)
    profile = comm.gather(slab.interior().mean(axis=1), root=0)
    if comm.rank == 0:
        column = np.concatenate(profile)
        log.info("steps=%d mean=%.6f first row=%.5f last row=%.5f",
                 steps, mean, column[0], column[-1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
