from __future__ import annotations

import logging
import sys

import numpy as np
from mpi4py import MPI

from stream import BatchReader, BatchStream, StreamConfig
from train import Accumulator, log_batch, quota


def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    comm = MPI.COMM_WORLD
    config = StreamConfig()
    if comm.size < 2:
        print("needs a reader and at least one worker")
        return 0
    accumulator = Accumulator(config.features, [log_batch])
    expected = np.zeros(config.features)
    if comm.rank == 0:
        expected = BatchReader(comm, config).deal()
    else:
        limit = quota(config, comm.rank - 1, comm.size - 1)
        accumulator.consume(BatchStream(comm), limit)
    total = np.zeros(config.features)
    comm.Reduce(accumulator.total, total, op=MPI.SUM, root=0)
    if comm.rank == 0:
        print("totals", np.round(total, 4))
        return 0 if np.allclose(total, expected) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
