"""Event tallies that are filled locally and merged at the end of a pass."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Iterable, Mapping

from mpi4py import MPI


@dataclass
class Entry:
    hits: int = 0
    weight: float = 0.0

    def add(self, weight: float) -> None:
        self.hits += 1
        self.weight += weight


class TallyBook:
    def __init__(self, comm: MPI.Comm) -> None:
        self.comm = comm
        self._entries: dict[str, Entry] = defaultdict(Entry)

    def score(self, channel: str, weight: float) -> None:
        self._entries[channel].add(weight)

    def channels(self) -> list[str]:
        known = set(self._entries)
        return sorted(known.union(*self.comm.allgather(known)))

    def _sum(self, channel: str) -> Entry:
        mine = self._entries.get(channel, Entry())
        hits = self.comm.allreduce(mine.hits, op=MPI.SUM)
        weight = self.comm.allreduce(mine.weight, op=MPI.SUM)
        return Entry(hits, weight)

    def merged(self) -> Mapping[str, Entry]:
        return {channel: self._sum(channel) for channel in self.channels()}


def table(entries: Mapping[str, Entry]) -> Iterable[str]:
    for name, entry in entries.items():
        yield f"{name:<10} {entry.hits:6d} {entry.weight:12.4f}"
