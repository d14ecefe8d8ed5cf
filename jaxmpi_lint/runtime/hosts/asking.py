"""What a root asks a leaf, and how the leaf answers from its ledger."""

from __future__ import annotations

import secrets
import time
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

_WORD = 1 << 64
ENDING = 1.0  # seconds in which the ranks of a host end
_PAUSE = 0.01  # seconds


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
            "distant_parts": self._distant_parts,
            "formers": self._formers,
            "span_hashes": self._book.span_hashes,
            "stacks": self._book.ask_stacks,
            "doubts": self._doubts,
            "dealt_with": self._book.dealt_with,
            "suppress": self._book.suppress,
            "release": self._book.release,
            "unite": self._book.unite,
            "agree": self._book.agree,
            "end": self._end,
            "keep": self._keep,
        }
        return known[what](*arguments)

    def _end(self, exit_code: int, everywhere: bool) -> None:
        """End the ranks; answered once those of this host have left, since the root's own ranks end then.

        Open MPI ends a rank that still waits for one whose connection is closed, with a different exit code.
        """
        self._book.end(exit_code, everywhere)
        until = time.monotonic() + ENDING
        while self._book.local_alive() and time.monotonic() < until:
            time.sleep(_PAUSE)

    def _snapshot(self, known: int | None = None) -> Mapping[str, Any]:
        """A snapshot, as it differs from the last one if that is what the root has."""
        snapshot = self._book.snapshot()
        while self._vanishing.mark(snapshot):
            snapshot = self._book.snapshot()
        deaths = [(one.rank, one.noticed, one.ahead, one.over, one.status) for one in self._deaths.seen()]
        packed = portable.packed_snapshot(_with_one_sum(_without_compared(snapshot)))
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

    def _distant_parts(self, rank: int, count: int) -> portable.Packed:
        return portable.packed_parts(self._book.distant_parts(rank, count))

    def _formers(self, rank: int, count: int) -> portable.Packed:
        return portable.packed_communicators(self._book.formers(rank, count))

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


def _with_one_sum(snapshot: Snapshot) -> Snapshot:
    """With the sums that cancel out over all ranks put on the first rank of this host: they take less space.

    Those over parts of collectives only where all ranks have entered equally many.
    """

    def united(one: Communicator) -> Communicator:
        if len({lane.count for lane in one.lanes}) != 1 or not any(lane.sizes or lane.kinds for lane in one.lanes):
            return one
        sizes, kinds = (
            sum(values) % _WORD for values in zip(*((lane.sizes, lane.kinds) for lane in one.lanes), strict=True)
        )
        first, *others = (replace(lane, sizes=0, kinds=0) for lane in one.lanes)
        return replace(one, lanes=(replace(first, sizes=sizes, kinds=kinds), *others))

    ranks = snapshot.ranks
    if any(rank.freed for rank in ranks):
        first, *others = (replace(rank, freed=0) for rank in ranks)
        ranks = (replace(first, freed=sum(rank.freed for rank in ranks) % _WORD), *others)
    return replace(snapshot, communicators=tuple(map(united, snapshot.communicators)), ranks=ranks)
