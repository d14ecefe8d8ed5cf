"""The monitor of a host that is not the first one: it sends its state and executes the orders of the first host."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from jaxmpi_lint.runtime.ledger import sequences
from jaxmpi_lint.runtime.ledger.sequences import Process, Sequences
from jaxmpi_lint.runtime.xla.hosts import bulletin, mail
from jaxmpi_lint.runtime.xla.hosts.outbox import Outbox
from jaxmpi_lint.runtime.xla.hosts.sent_findings import Letter, written

_STACKS = 0.5
_HISTORY = 1024
_BEFORE = 5  # launches that are sent along with the requested one
_SENT = 1.0
_SILENCE = 10.0  # seconds without data from the first host after which a host judges alone


class Other:
    """The connection to the first host: state in one direction, orders in the other."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._own = mail.identity(folder)
        self._outbox = Outbox(folder, mail.BULLETIN)
        self._text = ""
        self._heard = time.monotonic()
        self.orders: Mapping[str, Any] = {}

    def refresh(self) -> None:
        """Read new orders."""
        text = mail.get(self._folder, mail.ORDERS)
        if text and text != self._text:
            self._text = text
            self._heard = time.monotonic()
            self.orders = bulletin.unpacked(text)[1]

    @property
    def hears(self) -> bool:
        """Whether the first host responds, or its timeout is not yet over."""
        return self.quiet < _SILENCE and not mail.get(self._folder, mail.LOST)

    @property
    def quiet(self) -> float:
        """Seconds since the last orders of the first host."""
        return time.monotonic() - self._heard

    def own(self, name: str) -> Any:
        """The orders for this host under a name."""
        return self.orders.get(name, {}).get(self._own)

    def tell(self, content: Mapping[str, Any]) -> None:
        """Send a state to the first host."""
        self._outbox.post(content)

    def sent(self, seconds: float) -> bool:
        """Wait until the last state has been sent."""
        return self._outbox.sent(seconds)


class Follower:
    """The link between this host's ledger and the first host."""

    def __init__(self, folder: str, ledger: Any) -> None:
        self.other = Other(folder)
        self.letters: dict[str, Letter] = {}  # those that are not answered yet
        self.dealt = 0
        self._folder = folder
        self._ledger = ledger
        self._answer: dict[str, Any] | None = None

    def look(self, now: Sequences, letters: Iterable[Letter], excused: Iterable[int]) -> int | None:
        """Execute orders and send the state; the exit code if the job is to end."""
        self.letters |= {letter.place.name: letter for letter in letters}
        self._obey(now)
        self._tell(now, excused, over=False)
        end = self.other.orders.get("end")
        return None if end is None else int(end)

    def part(self, now: Sequences) -> None:
        """Report that the processes of this host are about to be ended."""
        self._tell(now, (), over=True)
        self.other.sent(_SENT)

    @property
    def was_heard(self) -> bool:
        """Whether the first host has ever sent orders to this one."""
        return bool(self.other.orders)

    def gone(self) -> frozenset[int]:
        """Processes that have exited according to the first host."""
        return frozenset(self.other.orders.get("gone", ()))

    def _tell(self, now: Sequences, excused: Iterable[int], over: bool) -> None:
        letters = [[name, written(letter.finding)] for name, letter in self.letters.items()]
        more = {"letters": letters, "answer": self._answer, "over": over}
        self.other.tell(bulletin.written(self._ledger, now, excused, more))

    def _obey(self, now: Sequences) -> None:
        for name, text in (self.other.own("answers") or {}).items():
            if name in self.letters:
                self.letters.pop(name).answer(text)
        dealt = self.other.own("dealt") or 0
        if dealt > self.dealt:
            for index in self.other.own("suppressed") or ():
                self._ledger.suppress(index)
            self.dealt = dealt
            self._ledger.tell(dealt)
        question = self.other.orders.get("question")
        if question and question["number"] > (self._answer["number"] if self._answer else 0):
            self._answer = self._answered(question, now)

    def _answered(self, question: Any, now: Sequences) -> dict[str, Any]:
        records: dict[str, Any] = {}
        kept: dict[str, Any] = {}
        for process in now.processes if question["launch"] else ():
            key, number = question["launch"]
            told = [
                fields
                for fields in bulletin.history(self._ledger, process.lane, now, _HISTORY)
                if fields["set"] == key and number - _BEFORE < fields["sequence"] <= number
            ]
            records[str(process.index)] = told
            for fields in told:
                if fields["sequence"] == number and (program := fields["program"]) is not None:
                    name = bulletin.name_of(process.index, program["place"], program["program"])
                    known = sequences.kept(self._folder, process.process, program["place"])
                    kept.setdefault(name, bulletin.kept_written(known))
        stacks = {str(one.index): self._stacks(one) for one in now.processes if one.index in question["stacks"]}
        return {"number": question["number"], "records": records, "kept": kept, "stacks": stacks}

    def _stacks(self, process: Process) -> str:
        return self._ledger.stacks(process.lane, _STACKS) or "" if process.alive else ""
