"""Colour and extinction terms of a camera from overlapping exposures."""
import argparse
import logging

from mpi4py import MPI

from catalogue import TRUTH, simulate
from fit import GlobalFit
from robust import huber, uniform


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--exposures", type=int, default=22)
    ap.add_argument("--clouded", type=int, nargs="*", default=[5])
    ap.add_argument("--iterations", type=int, default=20)
    ap.add_argument("--tolerance", type=float, default=1e-9)
    ap.add_argument("--huber", type=float, default=0.02, help="0 for plain least squares")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(format=f"[{comm.rank}] %(message)s", level=logging.ERROR)

    mine = [simulate(i, args.clouded) for i in range(comm.rank, args.exposures, comm.size)]
    weight = huber(args.huber) if args.huber > 0 else uniform
    theta, iterations = GlobalFit(comm, mine, weight).solve(args.iterations, args.tolerance)

    stars = comm.reduce(sum(len(e.colour) for e in mine), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"{stars} stars, {iterations} iterations")
        for name, value, true in zip(("colour", "colour^2", "colour*airmass"), theta, TRUTH):
            print(f"{name:16s} {value:+.5f}  (true {true:+.5f})")


if __name__ == "__main__":
    main()
