"""Runs the configured stages on the samples of this rank."""
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

from .samples import CohortConfig, SampleSource
from .stages import STAGES


@dataclass
class Context:
    comm: MPI.Comm
    cfg: CohortConfig
    samples: list
    results: dict = field(default_factory=dict)
    failures: list = field(default_factory=list)

    def sum(self, partial):
        """Sum of an array over all ranks."""
        total = np.empty_like(partial)
        self.comm.Allreduce(partial, total, op=MPI.SUM)
        return total


def run_pipeline(comm, cfg):
    samples = list(SampleSource(cfg, comm.rank, comm.size))
    context = Context(comm, cfg, samples)
    for name in cfg.stages:
        STAGES[name]().run(context)
    gathered = comm.gather(context.failures, root=0)
    if comm.rank == 0:
        context.failures = [item for part in gathered for item in part]
    return context
