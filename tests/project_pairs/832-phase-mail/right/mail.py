"""Delivery of contributions between ranks, one round for each phase."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

from mpi4py import MPI


@dataclass(frozen=True)
class Parcel:
    cell: int
    amount: float


class MailRoom:
    """Every rank sends one bundle to each other rank in a round."""

    first_tag = 100

    def __init__(self, comm: MPI.Comm) -> None:
        self.comm = comm
        self._round = 0
        self._outbox: dict[int, list[Parcel]] = {r: [] for r in range(comm.size)}

    @property
    def peers(self) -> list[int]:
        return [r for r in range(self.comm.size) if r != self.comm.rank]

    def post(self, owner: int, parcel: Parcel) -> None:
        self._outbox[owner].append(parcel)

    def _tag(self) -> int:
        return self.first_tag + self._round % 2

    def _bundles(self) -> Iterator[list[Parcel]]:
        tag = self._tag()
        requests = [self.comm.isend(self._outbox[r], dest=r, tag=tag) for r in self.peers]
        yield self._outbox[self.comm.rank]
        for _ in self.peers:
            yield self.comm.recv(source=MPI.ANY_SOURCE, tag=tag)
        MPI.Request.waitall(requests)

    def deliver(self) -> list[Parcel]:
        received = [parcel for bundle in self._bundles() for parcel in bundle]
        self._outbox = {r: [] for r in range(self.comm.size)}
        self._round += 1
        return sorted(received, key=lambda p: (p.cell, p.amount))
