"""Which rank died first, and whether on its own, judged by what the kernel reports about the ends of processes.

A launcher kills the other ranks as soon as one has died, and a job may be ended from outside as a whole. Only a rank
that provably died before it could be killed from outside is named as the cause.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

FAULTS = frozenset({"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGSYS", "SIGTRAP", "SIGPIPE", "SIGXCPU"})
_APART = 0.05  # seconds: a rank that is asked to end so much earlier than the others was asked alone
_TOGETHER = 0.002  # seconds between two signs below which their order is not significant
_GRACE = 3.0  # seconds that a process may take to end once it is asked to
_ASKED_FIRST = 0.5  # seconds after which PRRTE kills ranks that it asked to end at the earliest: half of its default
_FARTHER = 1.5  # seconds in which a launcher ends the ranks of all hosts after one has died
_STEP = 0.002
_SHELL = 128  # higher exit statuses mean that a signal was caught and passed on


@dataclass(frozen=True, slots=True)
class Death:
    """The end of one process; see `deaths.hpp`."""

    rank: int
    noticed: float
    ahead: bool
    over: float | None
    status: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The ranks that died first, and what that proves."""

    first: frozenset[int]
    proven: bool  # they died on their own, and the others as a consequence
    outside: bool = False  # the job was ended as a whole


def name(number: int) -> str:
    """``SIGSEGV``."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def request(status: int | None) -> str:
    """The signal by which a process was asked to end; "" if it was not."""
    if status is None or not asked(status):
        return ""
    return name(-status if status < 0 else status - _SHELL)


def alone(status: int | None) -> bool:
    """Whether the process must have ended on its own."""
    return _is_fault(status) or (status is not None and 0 <= status <= _SHELL)


def _is_fault(status: int | None) -> bool:
    return status is not None and status < 0 and name(-status) in FAULTS


def asked(status: int | None) -> bool:
    """Whether the process was asked to end by a signal, as launchers and users do."""
    if status is None or status == -signal.SIGKILL:
        return False
    return not alone(status)


def asks_first(job: str) -> bool:
    """Whether the launcher of a job asks ranks to end (SIGTERM) before it kills them.

    Source: PRRTE, `prte_odls_base_default_kill_local_procs`; its namespaces are named after `prterun` or `prte`.
    """
    return job.startswith("pmix:prte")


def weigh(deaths: Iterable[Death], gone: Collection[int], launcher_ended: float | None, asks: bool = False) -> Verdict:
    """Which of the ranks in ``gone`` died first; ``asks``: see `asks_first`."""
    known = sorted((one for one in deaths if one.rank in gone), key=lambda one: one.noticed)
    if not known:
        return Verdict(frozenset(gone), False)
    if asks and len(killed := _killed_at_once(known)) > 1:
        return Verdict(killed, False, outside=killed == frozenset(gone))
    killed_with_launcher = launcher_ended is not None and launcher_ended <= known[-1].noticed
    own = [one for one in known if alone(one.status) or (not killed_with_launcher and _ahead(one, known))]
    if own and _leads(own[0], known):
        if any(asked(other.status) and other.noticed <= own[0].noticed + _APART for other in known if other not in own):
            faults = [one for one in own if _is_fault(one.status)]
            return Verdict(frozenset(one.rank for one in faults or own), bool(faults))
        together = [one for one in own if not one.ahead or one is own[0]]
        return Verdict(frozenset(one.rank for one in (own[:1] if own[0].ahead else together)), True)
    wave = [one for one in known if one.noticed - known[0].noticed <= _TOGETHER]
    if killed_with_launcher or any(asked(one.status) for one in wave):
        return Verdict(frozenset(gone), False, outside=True)
    return Verdict(frozenset(one.rank for one in wave), False)


def _killed_at_once(known: Sequence[Death]) -> frozenset[int]:
    """Ranks that were killed together with the first one, earlier than a launcher that asks first kills ranks."""
    if known[0].status != -signal.SIGKILL:
        return frozenset()
    until = known[0].noticed + _ASKED_FIRST
    return frozenset(one.rank for one in known if one.status == -signal.SIGKILL and one.noticed < until)


def _leads(one: Death, known: Iterable[Death]) -> bool:
    """Whether no other death can be the cause of this one, which no signal can have requested."""
    others = [other for other in known if other.rank != one.rank]
    first = min((other.noticed for other in others), default=one.noticed)
    over = min((other.over for other in others if other.over is not None), default=float("inf"))
    # On a busy machine the first sign may be seen late; but a launcher never ends ranks by a fault.
    late = _APART if _is_fault(one.status) and not any(asked(other.status) for other in others) else _TOGETHER
    return one.noticed - first <= late or (one.over is not None and one.over <= over)


def _ahead(one: Death, known: Iterable[Death]) -> bool:
    """Whether a process was killed while no other was."""
    if not one.ahead:
        return False
    following = min((other.noticed for other in known if other.noticed > one.noticed), default=float("inf"))
    return not asked(one.status) or following - one.noticed >= _APART


class Deaths:
    """Watches processes until they end."""

    def __init__(
        self, processes: Sequence[tuple[int, int]], folder: str = "", inherited: int = 0, job: str = ""
    ) -> None:
        """``processes``: rank and pid, in the order of the ledger; see `deaths.hpp`."""
        from jaxmpi_lint.runtime import _native

        self.launcher_asks = asks_first(job)
        self._native = _native.Deaths(processes, folder, inherited)

    def statuses(self, ranks: Collection[int], seconds: float) -> dict[int, int | None]:
        """How ranks ended; this is known a moment after they have released the ledger."""
        until = time.monotonic() + seconds
        while True:
            ended = {one.rank: one.status for one in self.seen() if one.over is not None and one.rank in ranks}
            if len(ended) == len(set(ranks)) or time.monotonic() > until:
                return ended
            time.sleep(_STEP)

    def asked_lately(self, ranks: Collection[int]) -> bool:
        """Whether ranks were asked to end recently, so that the others may be about to end as well."""
        recent = time.monotonic() - _GRACE
        return any(one.rank in ranks and asked(one.status) and one.noticed > recent for one in self.seen())

    def any_lately(self) -> bool:
        """Whether a process has died so recently that a launcher may not have ended those of other hosts yet."""
        recent = time.monotonic() - _FARTHER
        return any(one.noticed > recent for one in self.seen())

    def seen(self) -> list[Death]:
        """The processes that have ended, or are ending."""
        return [Death(*fields) for fields in self._native.seen()]

    def verdict(self, gone: Collection[int]) -> Verdict:
        """Which of the ranks in ``gone`` died first."""
        return weigh(self.seen(), gone, self.launcher_ended(), self.launcher_asks)

    def verdict_with_exits(self, gone: Collection[int], exited: Collection[int]) -> Verdict:
        """The same, where ranks that exited may be the cause: launchers end a job in which a rank exits early."""
        seen = self.seen()
        first = min((one.noticed for one in seen if one.rank in gone), default=0.0)
        lately = {one.rank for one in seen if one.rank in exited and abs(first - one.noticed) < _FARTHER}
        verdict = self.verdict({*gone, *lately}) if lately else None
        return verdict if verdict is not None and verdict.proven else self.verdict(gone)

    def launcher_ended(self) -> float | None:
        """When the launcher's process on this host has ended."""
        found: float | None = self._native.launcher_ended()
        return found

    def ending(self) -> frozenset[int]:
        """Ranks that are ending, as the kernel reports now."""
        return frozenset(self._native.ending())
