"""Transport one beam segment on each rank and print the merged tallies."""
from __future__ import annotations

import argparse
import logging

from mpi4py import MPI

from tally import TallyBook, table
from transport import Source, Tracker

log = logging.getLogger("transport")


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--particles", type=int, default=60)
    parser.add_argument("--seed", type=int, default=11)
    return parser.parse_args(argv)


def main() -> int:
    args = parse()
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.ERROR)
    book = TallyBook(comm)
    tracker = Tracker(book, args.seed + comm.rank)
    tracker.shoot(Source(segment=comm.rank, particles=args.particles))
    log.info("merging tallies of %d ranks", comm.size)
    merged = book.merged()
    if comm.rank == 0:
        print(*table(merged), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
