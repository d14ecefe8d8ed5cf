"""A table of particle records spread over the ranks."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass(frozen=True, slots=True)
class Particle:
    ident: int
    energy: float


@dataclass(eq=False)
class ParticleTable:
    """Sequence-like view; the size is that of the whole table."""

    comm: MPI.Intracomm
    rows: list[Particle] = field(default_factory=list)

    @classmethod
    def generate(cls, comm: MPI.Intracomm, total: int, seed: int) -> "ParticleTable":
        energies = np.random.default_rng(seed).exponential(2.0, total)
        rows = [Particle(i, float(energies[i]))
                for i in range(comm.rank, total, comm.size)]
        return cls(comm, rows)

    def __len__(self) -> int:
        return self.comm.allreduce(len(self.rows), op=MPI.SUM)

    def local(self) -> Iterator[Particle]:
        yield from self.rows

    def above(self, threshold: float) -> "ParticleTable":
        return ParticleTable(self.comm, [p for p in self.rows if p.energy > threshold])

    def energy(self) -> float:
        return self.comm.allreduce(sum(p.energy for p in self.rows), op=MPI.SUM)

    def __repr__(self) -> str:
        return f"<ParticleTable with {len(self.rows)} rows here>"
