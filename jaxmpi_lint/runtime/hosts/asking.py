"""What a root asks a leaf, and how the leaf answers from its ledger."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from jaxmpi_lint.runtime.hosts import differences, portable
from jaxmpi_lint.runtime.judging import doubts
from jaxmpi_lint.runtime.judging.deaths import Deaths
from jaxmpi_lint.runtime.judging.vanishing import Vanishing
from jaxmpi_lint.runtime.ledger.interface import LedgerReader
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Lane, Snapshot

Answer = Any
"""What JSON can hold."""


class Answers:
    """The ledger of a leaf's host, as the root asks for it."""

    def __init__(self, book: LedgerReader, deaths: Deaths, folder: str) -> None:
        """``folder``: where the ledger is stored after an error."""
        self._book, self._deaths, self._folder = book, deaths, folder
        self._vanishing = Vanishing(book, deaths)
        self._number = secrets.randbits(32)
        self._sent: portable.Packed = {}  # the last snapshot, which has this number

    def answer(self, what: str, arguments: list[Any]) -> Answer:
        """The answer to a question; KeyError if there is no such question."""
        known: dict[str, Callable[..., Answer]] = {
            "snapshot": self._snapshot,
            "history": self._history,
            "stacks": self._book.ask_stacks,
            "doubts": self._doubts,
            "dealt_with": self._book.dealt_with,
            "suppress": self._book.suppress,
            "release": self._book.release,
            "end": self._book.end,
            "keep": self._keep,
        }
        return known[what](*arguments)

    def _snapshot(self, known: int | None = None) -> Mapping[str, Any]:
        """A snapshot, as it differs from the last one if that is what the root has."""
        snapshot = self._book.snapshot()
        while self._vanishing.mark(snapshot):
            snapshot = self._book.snapshot()
        deaths = [(one.rank, one.noticed, one.ahead, one.over, one.status) for one in self._deaths.seen()]
        packed = portable.packed_snapshot(_without_compared(snapshot))
        since = known if known == self._number and self._sent else None
        different = differences.between(self._sent, packed) if since is not None else packed
        self._number, self._sent = self._number + 1, packed
        return {
            "number": self._number,
            "since": since,
            "snapshot": different,
            "deaths": deaths,
            "ending": sorted(self._deaths.ending()),
        }

    def _history(self, rank: int, count: int) -> portable.Packed:
        return portable.packed_records(self._book.history(rank, count))

    def _doubts(self, known: list[tuple[int, list[int]]], seconds: float) -> list[tuple[int, str]]:
        return sorted(doubts.of(self._book, dict(known), seconds).items())

    def _keep(self) -> str:
        """Store the ledger; why that failed."""
        from pathlib import Path

        from jaxmpi_lint.runtime.ledger import folders

        try:
            folder = Path(self._folder)
            folder.mkdir(parents=True, exist_ok=True)
            self._book.copy(str(folder / folders.PLAIN))
            folders.pack(folder)
        except (OSError, RuntimeError) as error:
            return str(error)
        return ""


def _without_compared(snapshot: Snapshot) -> Snapshot:
    """Without the earlier hashes of communicators whose ranks are all on one host, which compares them at the call."""
    hosts = {rank.rank: rank.host for rank in snapshot.ranks}

    def without(lane: Lane) -> Lane:
        return replace(lane, checkpoints=())

    def kept(one: Communicator) -> Communicator:
        on_one_host = len(one.lanes) == one.size and len({hosts.get(lane.rank) for lane in one.lanes}) == 1
        return replace(one, lanes=tuple(map(without, one.lanes))) if on_one_host else one

    return replace(snapshot, communicators=tuple(map(kept, snapshot.communicators)))
