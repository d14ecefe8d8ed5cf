"""Whether a thread really waits in the call in which it was seen.

A thread that was descheduled between two instructions looks like one that waits. Its processor time distinguishes
them: a thread that has used some in the same call, or has been asleep in the kernel for some time, really waits. Wall
time proves nothing (oversubscription, SIGSTOP).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from jaxmpi_lint.runtime.judging.propagation import Key
from jaxmpi_lint.runtime.judging.wait_for_graph import Stuck
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot, Thread


@dataclass(frozen=True, slots=True)
class _Seen:
    """Observations of a thread since it was first seen in its current call."""

    sequence: int
    cpu_first: float
    cpu_last: float
    asleep_since: float | None
    asleep_until: float


class Evidence:
    """How long each thread has been in its current call, from successive snapshots."""

    def __init__(self) -> None:
        self._seen: dict[Key, _Seen] = {}

    def add(self, snapshot: Snapshot) -> None:
        """Add one more snapshot."""
        seen: dict[Key, _Seen] = {}
        for rank in snapshot.ranks:
            for thread in rank.threads:
                key = (rank.rank, thread.slot)
                seen[key] = self._updated(self._seen.get(key), thread, snapshot.taken)
        self._seen = seen

    @staticmethod
    def _updated(before: _Seen | None, thread: Thread, now: float) -> _Seen:
        asleep = thread.sleeping and not thread.stopped
        if before is None or before.sequence != thread.sequence:
            return _Seen(thread.sequence, thread.cpu_seconds, thread.cpu_seconds, now if asleep else None, now)
        since = (before.asleep_since if before.asleep_since is not None else now) if asleep else None
        return replace(before, cpu_last=thread.cpu_seconds, asleep_since=since, asleep_until=now)

    def settled(self, stuck: Iterable[Stuck], seconds: float) -> bool:
        """Whether each of these threads has run or slept for so long in its call."""
        return all(self._settled(one, seconds) for one in stuck)

    def resting(self, snapshot: Snapshot, seconds: float) -> frozenset[int]:
        """The ranks of which every thread has been blocked in a call for so long."""
        return frozenset(
            rank.rank
            for rank in snapshot.ranks
            if rank.threads
            and all(
                one.activity == "blocked" and self._inside((rank.rank, one.slot), one.sequence, seconds)
                for one in rank.threads
                if one.activity != "ended"
            )
        )

    def _settled(self, stuck: Stuck, seconds: float) -> bool:
        return self._inside(stuck.key, stuck.thread.sequence, seconds)

    def _inside(self, key: Key, sequence: int, seconds: float) -> bool:
        seen = self._seen.get(key)
        if seen is None or seen.sequence != sequence:
            return False
        slept = seen.asleep_until - seen.asleep_since if seen.asleep_since is not None else 0.0
        return seen.cpu_last - seen.cpu_first >= seconds or slept >= seconds
