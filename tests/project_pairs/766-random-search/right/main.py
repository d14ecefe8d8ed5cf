import argparse
import logging

from mpi4py import MPI

from objective import OBJECTIVES
from search import Manager, Worker


def main():
    parser = argparse.ArgumentParser(description="random hyperparameter search")
    parser.add_argument("--objective", choices=sorted(OBJECTIVES), default="least_squares")
    parser.add_argument("--trials", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        parser.error("random search needs a manager and at least one worker")

    if comm.rank == 0:
        manager = Manager(comm, args.trials, args.seed)
        best = manager.run()
        logging.info("%d trials, best #%d: %.3e with %s", len(manager.finished), best.number, best.value, best.params)
    else:
        Worker(comm, OBJECTIVES[args.objective]).run()


if __name__ == "__main__":
    main()
