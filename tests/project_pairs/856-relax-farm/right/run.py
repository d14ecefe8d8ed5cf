"""Relax a series of clusters and print energies and zero-point energies."""
import argparse
import logging
import sys

from mpi4py import MPI

from relaxfarm.farm import Manager, Worker
from relaxfarm.report import write_table
from relaxfarm.structures import make_jobs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+",
                        default=[55, 13, 19, 13, 48, 13, 24, 13, 52, 13,
                                 26, 13, 45, 13, 19, 13, 30, 13])
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    if comm.size < 2:
        parser.error("needs a manager and at least one worker")
    if args.verbose:
        logging.basicConfig(level=logging.INFO, format="%(message)s")
    if comm.rank == 0:
        records = Manager(comm, make_jobs(args.sizes)).run()
        write_table(records, sys.stdout)
    else:
        Worker(comm).run()


if __name__ == "__main__":
    main()
