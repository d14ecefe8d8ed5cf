"""Logging that is verbose on one rank and quiet on the others."""
from __future__ import annotations

import logging
import sys
from dataclasses import dataclass

from mpi4py import MPI


@dataclass(frozen=True)
class LogOptions:
    verbose: bool = True
    root: int = 0

    def level_for(self, rank: int) -> int:
        if rank != self.root:
            return logging.WARNING
        return logging.INFO if self.verbose else logging.WARNING


def configure(comm: MPI.Comm, options: LogOptions) -> logging.Logger:
    logger = logging.getLogger("reservoir")
    logger.setLevel(options.level_for(comm.rank))
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter(f"[{comm.rank}] %(levelname)s %(message)s"))
    logger.addHandler(handler)
    logger.propagate = False
    return logger
