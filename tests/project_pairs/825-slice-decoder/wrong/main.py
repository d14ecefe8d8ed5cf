"""Decode an archive in parallel and print its mean."""
from __future__ import annotations

import logging
import shutil
import tempfile
from pathlib import Path

import numpy as np
from mpi4py import MPI

from loader import SliceLoader, pack
from retry import RetryPolicy
from scratch import Scratch


def make_archive(parts: int) -> list[bytes]:
    rng = np.random.default_rng(5)
    return [pack(rng.normal(loc=k, size=500)) for k in range(parts)]


def main() -> int:
    logging.basicConfig(level=logging.ERROR)
    comm = MPI.COMM_WORLD
    base = Path(tempfile.mkdtemp(prefix=f"decode_{comm.rank}_"))
    try:
        scratch = Scratch(base)
        if comm.rank % 2 == 1:
            scratch.leave_lock()
        loader = SliceLoader(comm, scratch, RetryPolicy())
        archive = make_archive(comm.size) if comm.rank == 0 else None
        values = loader.load(archive)
        total = comm.allreduce(float(values.sum()))
        count = comm.allreduce(values.size)
        if comm.rank == 0:
            print(f"{count} values, mean {total / count:.5f}")
    finally:
        shutil.rmtree(base)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
