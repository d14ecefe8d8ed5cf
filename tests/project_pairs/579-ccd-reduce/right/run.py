import logging
import sys

from mpi4py import MPI

from ccd.frames import night
from ccd.pipeline import NightPipeline


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    exposures = night(count=18, seed=31)
    pipeline = NightPipeline(comm, "night")
    done = comm.allreduce(pipeline.process(exposures))
    if comm.rank == 0:
        missing = pipeline.ledger.missing([e.name for e in exposures])
        logging.info("%d exposures reduced, %d without a ledger entry", done, len(missing))
        if missing:
            logging.error("not in the ledger: %s", " ".join(missing))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
