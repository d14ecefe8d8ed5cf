"""The other hosts of a job, as seen by the monitor of one host.

The monitor of the first host, the host of process 0, judges the processes of all hosts. The other monitors send it
their state and execute its orders. While the first host does not respond, they judge their own processes alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.ledger.sequences import Found, Kept, Process, Program, Record, Sequences
from jaxmpi_lint.runtime.xla.hosts import mail, sent_findings
from jaxmpi_lint.runtime.xla.hosts.following import Follower
from jaxmpi_lint.runtime.xla.hosts.leading import SILENCE, First
from jaxmpi_lint.runtime.xla.hosts.sent_findings import Letter, Receiver
from jaxmpi_lint.runtime.xla.hosts.union import Host

_FIND_OUT = 1.5  # seconds within which new processes detect other hosts
_DECIDED = 3.0  # seconds after which a host that has found no other host judges alone
_STEP = 0.02
_SILENCE = 60.0  # seconds without data from the first host after which that is reported
_PATIENCE = 0.6  # seconds within which launches of other hosts become known here


@dataclass(frozen=True, slots=True)
class FarLetter:
    """A finding of a process of another host."""

    first: First
    host: Host
    name: str
    finding: Finding

    def answer(self, text: str) -> None:
        """Let the process continue, or raise an exception."""
        self.first.answer(self.host, self.name, text)


class Hosts:
    """The other hosts; none until the processes have detected some."""

    def __init__(self, folder: str, ledger: Any) -> None:
        self._folder = folder
        self._ledger = ledger
        self._first: First | None = None
        self._follower: Follower | None = None
        self._silent = self._lost = False
        self._began = time.monotonic()

    # --- what this host is ----------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The number of hosts that are compared here."""
        return 1 + (len(self._first.hosts) if self._first else 0)

    def judged_here(self, own: Sequences, last: bool) -> bool:
        """Whether to judge this host's processes now; at the last poll, unless the first host has done so."""
        if last:
            return self._follower is None or not {one.index for one in own.processes} <= self._follower.gone()
        return not self.judged_elsewhere and not self._undecided(own)

    def _undecided(self, own: Sequences) -> bool:
        """Whether it is still open which host judges this host's processes, because other processes are missing."""
        alone = self._first is None and self._follower is None
        return alone and len(own.processes) < own.expected and time.monotonic() - self._began < _DECIDED

    @property
    def judged_elsewhere(self) -> bool:
        """Whether the first host judges the processes of this one."""
        return self._follower is not None and self._follower.other.hears

    @property
    def dealt(self) -> int:
        """The number of findings of this host's processes that the first host has judged."""
        return self._follower.dealt if self._follower else 0

    @property
    def patience(self) -> float:
        """Seconds to wait until the launches of other hosts are known here."""
        return _PATIENCE if self.count > 1 else 0.0

    def refresh(self, own: Sequences, receiver: Receiver, excused: frozenset[int]) -> int | None:
        """Exchange data with the other hosts; the exit code if the first host orders the end of the job."""
        if self._first is None and self._follower is None:
            self._find_out()
        if self._follower is not None:
            self._follower.other.refresh()
            new = receiver.letters() if self.judged_elsewhere else ()
            return self._follower.look(own, new, excused)
        return None

    def _find_out(self) -> None:
        known = mail.fields(self._folder, mail.HOSTS)
        if known and known["own"] == known["first"]:
            self._first = First(self._folder)
        elif known:
            self._follower = Follower(self._folder, self._ledger)

    # --- all processes --------------------------------------------------------------------------------------------

    def together(self, own: Sequences) -> Sequences:
        """The processes of this host, and those of the other hosts if they are judged here."""
        return self._first.together(own, self._ledger) if self._first else own

    def history(self, process: Process) -> Sequence[Record]:
        """The launches of a process of another host."""
        return self._first.union.history(process) if self._first and self._first.union else ()

    def details(self, process: Process, program: Program) -> Kept:
        """The details of an executable of another host."""
        return self._first.union.details(process, program) if self._first and self._first.union else Kept((), "")

    def excused(self, process: Process) -> bool:
        """Whether a process of another host is being ended from outside the job."""
        return bool(self._first and self._first.union and self._first.union.excused(process))

    def bulletin(self, process: Process) -> int:
        """The number of the last bulletin from a process's host."""
        return self._first.union.host(process).number if self._first and self._first.union else 0

    def stacks(self, processes: Sequence[Process]) -> dict[int, str]:
        """Python stacks of processes of other hosts, by lanes."""
        return self._first.stacks(processes) if self._first else {}

    # --- findings -------------------------------------------------------------------------------------------------

    @property
    def differences(self) -> bool:
        """Whether there are differences between hosts that are not judged yet."""
        return self._first is not None and self._first.differs

    def found(self, keys: Sequence[int]) -> list[Found]:
        """These differences, with the numbers of device sets."""
        pairs = self._first.found() if self._first else []
        return [Found(kind, -1, keys.index(key), number) for kind, key, number in pairs if key in keys]

    def ask_about(self, key: int, sequence: int) -> None:
        """Request from the other hosts all details of a launch."""
        if self._first is not None and self._first.hosts:
            self._first.ask((key, sequence))

    def deal(self, suppressed: bool) -> None:
        """Mark the differences as judged."""
        if self._first is not None:
            self._first.deal(suppressed)

    def letters(self) -> Iterator[Letter | FarLetter]:
        """Findings of processes of other hosts, and those of this host that the first host has not judged."""
        if self._follower is not None:
            waiting, self._follower.letters = self._follower.letters, {}
            yield from waiting.values()
        if self._first is not None:
            for host, name, text in self._first.letters():
                yield FarLetter(self._first, host, name, sent_findings.read(text))

    def settle(self, now: Sequences) -> None:
        """Report to the other hosts that everything has been judged."""
        if self._first is not None:
            self._first.see_off(now.processes)
            self._first.order()

    def end(self, exit_code: int, own: Sequences) -> None:
        """End the processes of the connected hosts first, before those of this host are ended."""
        here = len(own.processes)
        until = time.monotonic() + _FIND_OUT
        while self._first is None and self._follower is None and here < own.expected and time.monotonic() < until:
            time.sleep(_STEP)
            self._find_out()
        store_lives = all(one.alive for one in own.processes if one.index == 0)
        if self._first is not None and store_lives:
            self._first.end(exit_code, own.expected - here)
        if self._follower is not None:
            self._follower.part(own)

    def ended_by_another(self) -> bool:
        """Whether another host ends its processes without an order."""
        return self._first is not None and any(host.over for host in self._first.hosts)

    # --- what is not compared -------------------------------------------------------------------------------------

    def news(self, own: Sequences) -> Iterator[str]:
        """Messages about other hosts that no longer respond."""
        reason = mail.get(self._folder, mail.LOST)
        if reason and not self._lost:
            self._lost = True
            yield f"launches are no longer compared between hosts: JAX's key-value store does not respond ({reason})"
        if self._follower is not None and not self._lost:
            silent = self._follower.other.quiet > _SILENCE and not all(one.gone for one in own.processes)
            if silent and not self._silent:
                yield "the host of rank 0 does not respond; until it does, only launches within this host are compared"
            self._silent = silent
        for host in self._first.silent() if self._first else ():
            ranks = wording.ranks(one["index"] for one in host.processes)
            yield (
                f"no data from {ranks} (host {host.known['host']}) for {SILENCE:.0f} s; they are not checked until the "
                "host responds"
            )

    def cut_off(self, own: Sequences) -> Iterator[str]:
        """A message that processes died, and with them the connection between hosts."""
        dead = {one.index for one in own.processes if one.state == "dead"}
        if (self._follower is not None and dead - self._follower.gone()) or (self._first is not None and 0 in dead):
            yield "launches are no longer compared between hosts; JAX aborts all ranks when rank 0 ends"

    def missed(self, now: Sequences) -> Iterator[str]:
        """Messages about launches that were recorded and not compared."""
        if self._follower is not None and self._follower.was_heard:
            return
        if now.overtaken:
            late = wording.plural(now.overtaken, "launch")
            yield f"not compared: {late}, because other ranks were more than a thousand launches ahead"
        if now.unrecorded:
            more = wording.plural(now.unrecorded, "launch")
            yield f"not compared: {more}, because there are too many different device sets"
        if self._first is not None and self._first.missed:
            yield f"not compared between hosts: {wording.plural(self._first.missed, 'launch')}, launched too fast"
        if now.unagreed:
            began = wording.plural(now.unagreed, "launch")
            yield f"strict: {began} began after `stall_seconds` although not all ranks had reached them"
