"""Sky subtraction and co-addition of one survey field."""
import argparse
import logging

from mpi4py import MPI

from exposure import read_exposure, share
from mosaic import Mosaic

log = logging.getLogger("survey")


def setup_logging(rank, verbose):
    logging.basicConfig(
        level=logging.INFO if verbose and rank == 0 else logging.WARNING,
        format=f"%(name)s[{rank}] %(message)s")


def calibrate(mosaic, rank):
    mosaic.subtract_sky()
    summary = mosaic.describe()
    if rank == 0:
        log.info("calibrated: %s", summary)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--exposures", type=int, default=14)
    ap.add_argument("--sigma", type=float, default=5.0)
    ap.add_argument("-q", "--quiet", action="store_true")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    setup_logging(comm.rank, not args.quiet)

    numbers = comm.bcast(list(range(args.exposures)) if comm.rank == 0 else None, root=0)
    mosaic = Mosaic(comm, [read_exposure(n) for n in share(numbers, comm.rank, comm.size)])
    calibrate(mosaic, comm.rank)

    depth = mosaic.depth
    image = mosaic.coadd(args.sigma * mosaic.noise)
    if comm.rank == 0:
        image /= depth
        log.info("depth %.0f s, %d pixels lit, total flux %.6f",
                 depth, int((image > 0).sum()), image.sum())
        print("mosaic written")


if __name__ == "__main__":
    main()
