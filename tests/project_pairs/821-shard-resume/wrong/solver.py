"""Explicit upwind advection with a time step agreed by all ranks."""
from __future__ import annotations

import logging

import numpy as np
from mpi4py import MPI

from config import RunConfig
from shards import QuotaExceeded, ShardStore

log = logging.getLogger(__name__)


class Advection:
    def __init__(self, cfg: RunConfig, comm: MPI.Comm, store: ShardStore) -> None:
        self.cfg = cfg
        self.comm = comm
        self.store = store
        self.step = 0
        n = cfg.grid.cells_for(comm.rank)
        self.values = np.sin(np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)) + 2.0

    def stable_dt(self) -> float:
        local = self.cfg.cfl / (self.values.size * float(np.abs(self.values).max()))
        return self.comm.allreduce(local, op=MPI.MIN)

    def advance(self) -> None:
        dt = self.stable_dt()
        flux = self.values
        self.values = self.values - dt * self.values.size * (flux - np.roll(flux, 1)) * 0.5
        self.step += 1

    def save(self) -> None:
        try:
            self.store.write(self.step, self.values)
        except QuotaExceeded as exc:
            log.warning("rank %d keeps no shard at step %d: %s", self.comm.rank, self.step, exc)

    def run_until(self, last: int) -> None:
        while self.step < last:
            self.advance()
            if self.step % self.cfg.save_every == 0:
                self.save()

    def resume(self) -> int:
        """Load the state saved by an earlier run, if there is one."""
        found = self.store.newest()
        if found > 0:
            self.values = self.store.read(found)
            self.step = found
        return self.step

    def total(self) -> float:
        mean = float(self.values.mean())
        return self.comm.allreduce(mean) / self.comm.size
