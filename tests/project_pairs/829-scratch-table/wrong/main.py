"""Average the opacity over columns that are spread over the ranks."""
from __future__ import annotations

import logging
import os

import numpy as np
from mpi4py import MPI

from settings import Settings
from tables import TableCache


def overrides_from_environment() -> dict[str, int]:
    bins = os.environ.get("OPACITY_BINS")
    return {} if bins is None else {"bins": int(bins)}


def column_mean(cache: TableCache, rank: int) -> float:
    rng = np.random.default_rng(40 + rank)
    means = [
        float(rng.dirichlet(np.ones(cache.settings.bins)) @ cache.table(t))
        for t in cache.temperatures()
    ]
    return sum(means) / len(means)


def main() -> int:
    logging.basicConfig(level=logging.WARNING)
    comm = MPI.COMM_WORLD
    settings = Settings.collective(comm, overrides_from_environment())
    with TableCache(comm, settings) as cache:
        mean = comm.allreduce(column_mean(cache, comm.rank)) / comm.size
    if comm.rank == 0:
        print(f"mean opacity {mean:.6f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
