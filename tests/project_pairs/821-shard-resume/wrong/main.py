"""Run the first leg, then resume from the shards and finish."""
from __future__ import annotations

import logging
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from mpi4py import MPI

from config import RunConfig
from shards import ShardStore
from solver import Advection


@contextmanager
def shared_workdir(comm: MPI.Comm) -> Iterator[Path]:
    name = tempfile.mkdtemp(prefix="advect_") if comm.rank == 0 else None
    path = Path(comm.bcast(name, root=0))
    yield path
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(path)


def build(cfg: RunConfig, comm: MPI.Comm) -> Advection:
    return Advection(cfg, comm, ShardStore(cfg.workdir, comm.rank, cfg.quota_bytes))


def main() -> int:
    logging.basicConfig(level=logging.ERROR)
    comm = MPI.COMM_WORLD
    with shared_workdir(comm) as workdir:
        cfg = RunConfig(workdir=workdir)
        build(cfg, comm).run_until(cfg.first_leg)

        solver = build(cfg, comm)
        start = solver.resume()
        solver.run_until(cfg.last_step)
        mean = solver.total()
        if comm.rank == 0:
            print(f"resumed at {start}, finished at {solver.step}, mean {mean:.6f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
