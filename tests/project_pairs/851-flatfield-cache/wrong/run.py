"""Calibrate one night: zero point and flatness of every band."""
import logging
import shutil
import tempfile
from pathlib import Path

from mpi4py import MPI

from fieldcal.calibrator import Calibrator
from fieldcal.config import CalConfig


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(
        level=logging.INFO if comm.rank == 0 else logging.WARNING,
        format=f"[{comm.rank}] %(message)s")
    work = tempfile.mkdtemp("-fieldcal") if comm.rank == 0 else None
    work = comm.bcast(work, root=0)
    cfg = CalConfig(cache_dir=Path(work))

    calibrator = Calibrator(comm, cfg)
    table = {band: calibrator.run_band(band) for band in cfg.bands}

    if comm.rank == 0:
        for band, (level, scatter) in table.items():
            print(f"{band}: level {level:8.3f}  scatter {scatter:6.3f}")
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
