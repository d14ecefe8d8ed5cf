import argparse
import logging

from mpi4py import MPI

from data import Folds, sensors
from scoring import CrossValidator
from search import GridSearch


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--rows", type=int, default=480)
    p.add_argument("--folds", type=int, default=6)
    p.add_argument("--quiet", action="store_true")
    return p.parse_args()


def main():
    args = arguments()
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    x, y = sensors(args.rows)
    validator = CrossValidator(comm, x, y, Folds(args.rows, args.folds))
    search = GridSearch(validator, verbose=comm.rank == 0 and not args.quiet)
    value, setting = search.run()
    if comm.rank == 0:
        print(f"best {setting} with mean squared error {value:.4f}")


if __name__ == "__main__":
    main()
