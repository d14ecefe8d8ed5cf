"""Hand parcels to the neighbouring slabs."""
from __future__ import annotations

import logging
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

from parcels import FIELDS

log = logging.getLogger(__name__)

TAG_COUNT = 31
TAG_ROWS = 32


@dataclass
class Manifest:
    """How many rows go to, and come from, each neighbour."""

    outgoing: dict[int, int]
    incoming: dict[int, int] = field(default_factory=dict)


class Migrator:
    def __init__(self, comm: MPI.Comm, neighbours: tuple[int, ...]) -> None:
        self.comm = comm
        self.neighbours = neighbours

    def negotiate(self, leaving: dict[int, np.ndarray]) -> Manifest:
        manifest = Manifest({peer: len(rows) for peer, rows in leaving.items()})
        requests = [
            self.comm.isend(manifest.outgoing[peer], dest=peer, tag=TAG_COUNT)
            for peer in self.neighbours
        ]
        for peer in self.neighbours:
            manifest.incoming[peer] = self.comm.recv(source=peer, tag=TAG_COUNT)
        MPI.Request.waitall(requests)
        return manifest

    def _allocate(self, manifest: Manifest) -> dict[int, np.ndarray]:
        return {peer: np.zeros((manifest.incoming[peer], FIELDS)) for peer in self.neighbours}

    def exchange(self, leaving: dict[int, np.ndarray]) -> list[np.ndarray]:
        manifest = self.negotiate(leaving)
        arriving = self._allocate(manifest)
        requests = [
            self.comm.Irecv(arriving[peer], source=peer, tag=TAG_ROWS)
            for peer in self.neighbours
        ]
        requests += [
            self.comm.Isend(leaving[peer], dest=peer, tag=TAG_ROWS)
            for peer in self.neighbours
        ]
        MPI.Request.Waitall(requests)
        log.debug("manifest %s", manifest)
        return list(arriving.values())
