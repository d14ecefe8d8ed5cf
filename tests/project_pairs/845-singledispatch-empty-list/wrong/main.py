from __future__ import annotations

import logging

import numpy as np
from mpi4py import MPI

from collect import collect
from peaks import PeakConfig, PeakFinder

log = logging.getLogger("peaks")


def piece_of(bins: int, rank: int, size: int) -> tuple[int, int]:
    return bins * rank // size, bins * (rank + 1) // size


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    comm = MPI.COMM_WORLD
    config = PeakConfig()
    finder = PeakFinder(config)
    piece = piece_of(config.bins, comm.rank, comm.size)
    found = finder(piece)
    names = collect([f"rank{comm.rank}:{len(found)}"], comm)
    peaks = collect(found, comm)
    if comm.rank == 0:
        log.info("%s -> %s", names, peaks)
        assert np.allclose(peaks, config.centres)


if __name__ == "__main__":
    main()
