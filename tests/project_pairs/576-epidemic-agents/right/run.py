import logging

from mpi4py import MPI

from epi.config import Config
from epi.model import EpidemicModel


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    config = Config.from_env()
    model = EpidemicModel(comm, config)
    peak = model.run()
    if comm.rank == 0:
        s, i, r = model.totals
        logging.info("peak prevalence %.3f; at the end S=%d I=%d R=%d", peak, s, i, r)


if __name__ == "__main__":
    main()
