"""Water balance of a chain of reservoirs spread over the ranks."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass
class Reservoir:
    volume: float
    outlet: float

    def release(self, dt: float) -> float:
        amount = min(self.volume, self.outlet * self.volume * dt)
        self.volume -= amount
        return amount


@dataclass
class Cascade:
    comm: MPI.Comm
    members: list[Reservoir] = field(default_factory=list)
    spilled: float = 0.0

    @classmethod
    def build(cls, comm: MPI.Comm, per_rank: int) -> "Cascade":
        rng = np.random.default_rng(70 + comm.rank)
        members = [Reservoir(float(v), 0.2) for v in rng.uniform(5.0, 9.0, per_rank)]
        return cls(comm, members)

    @property
    def stored(self) -> float:
        return sum(r.volume for r in self.members)

    @property
    def balance(self) -> float:
        return self.comm.allreduce(self.stored + self.spilled)

    def route(self, inflow: float, dt: float) -> float:
        """Pass water down the local chain and return what leaves it."""
        for member in self.members:
            member.volume += inflow
            inflow = member.release(dt)
        return inflow

    def exchange(self, outflow: float) -> float:
        up = self.comm.rank - 1 if self.comm.rank > 0 else MPI.PROC_NULL
        down = self.comm.rank + 1 if self.comm.rank + 1 < self.comm.size else MPI.PROC_NULL
        if down == MPI.PROC_NULL:
            self.spilled += outflow
        received = self.comm.sendrecv(outflow, dest=down, source=up)
        return 0.0 if received is None else received

    def __str__(self) -> str:
        return f"{len(self.members)} reservoirs, stored {self.stored:.4f}"
