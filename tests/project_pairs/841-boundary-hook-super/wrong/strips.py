"""Concrete strips: inside the rod, or touching one of its ends."""
from __future__ import annotations

import logging

from mpi4py import MPI

from domain import RodConfig, StepInfo, Strip

log = logging.getLogger(__name__)


class InteriorStrip(Strip):
    def apply_edges(self) -> None:
        return None


class EndStrip(Strip):
    """A strip with at least one end of the rod; records the heat flux there."""

    def __init__(self, comm: MPI.Intracomm, config: RodConfig) -> None:
        super().__init__(comm, config)
        self.flux: list[float] = []

    def apply_edges(self) -> None:
        if self.left == MPI.PROC_NULL:
            self.u[0] = self.config.hot
        if self.right == MPI.PROC_NULL:
            self.u[-1] = 0.0

    def after_step(self, info: StepInfo) -> None:
        self.flux.append(float(self.u[1] - self.u[0]))
        log.debug("step %d: flux %.3f", info.step, self.flux[-1])


def make_strip(comm: MPI.Intracomm, config: RodConfig) -> Strip:
    at_end = comm.rank in (0, comm.size - 1)
    cls = EndStrip if at_end else InteriorStrip
    return cls(comm, config)
