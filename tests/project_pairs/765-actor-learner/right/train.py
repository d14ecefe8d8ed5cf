import argparse
import logging

from mpi4py import MPI

from actor import Actor
from learner import Learner


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=400)
    parser.add_argument("--corridor", type=int, default=9)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    cfg = parser.parse_args()

    comm = MPI.COMM_WORLD
    if comm.size < 2:
        parser.error("start at least two ranks: one learner and one actor")
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    role = Learner if comm.rank == 0 else Actor
    role(comm, cfg).run()


if __name__ == "__main__":
    main()
