import argparse
import logging

from mpi4py import MPI

from catalogue import Catalogue, CatalogueError
from comm_utils import block
from spectra import STRENGTHS, fit

log = logging.getLogger("fit_lines")


def main():
    ap = argparse.ArgumentParser(description="fit H-alpha and write a catalogue")
    ap.add_argument("--out", default="halpha.cat")
    ap.add_argument("--min-snr", type=float, default=5.0)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format=f"rank {comm.rank}: %(message)s")

    cat = Catalogue(args.out, comm, args.min_snr)
    rejected = 0
    rows = [fit(k) for k in block(len(STRENGTHS), comm)]
    try:
        cat.append(rows)
    except CatalogueError as exc:
        log.error("%s, block not written", exc)
        rejected = len(rows)

    rejected = comm.allreduce(rejected)
    if comm.rank == 0:
        n = cat.count()
        print(f"{n} sources in {args.out}, {rejected} rejected")
        assert n + rejected == len(STRENGTHS)


if __name__ == "__main__":
    main()
