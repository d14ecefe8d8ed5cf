"""The monitor of the first host: it receives the bulletins of all other hosts and publishes orders."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from jaxmpi_lint.runtime.ledger.sequences import Process, Sequences
from jaxmpi_lint.runtime.xla.hosts import bulletin, mail, union
from jaxmpi_lint.runtime.xla.hosts.outbox import Outbox
from jaxmpi_lint.runtime.xla.hosts.union import Host, Union
from jaxmpi_lint.runtime.xla.hosts.windows import Windows

_STEP = 0.02
_ANSWERS = 8  # kept for each host
SILENCE = 60.0
"""Seconds without a bulletin after which a host is reported as not responding."""
_END = 4.0  # seconds within which other hosts receive the order to end the job
_ANSWER = 1.5

Difference = tuple[str, int, int]
"""Its kind, the key of the device set, the number of the launch."""


class First:
    """The connection of the first host to all others: bulletins in, orders out."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._outbox = Outbox(folder, mail.ORDERS)
        self._hosts: dict[str, Host] = {}
        self._windows = Windows()
        self._question: dict[str, Any] = {"number": 0}
        self._dealt: dict[str, int] = {}
        self._suppressed: dict[str, list[int]] = {}
        self._answered: dict[str, dict[str, str]] = {}
        self._end: int | None = None
        self._gone: list[int] = []
        self._checked: list[int] = []
        self._differences: list[Difference] = []  # between hosts, not yet judged
        self._taken: tuple[int, dict[str, int]] = (0, {})  # what is being judged
        self._silent: set[str] = set()
        self.union: Union | None = None

    @property
    def hosts(self) -> list[Host]:
        """The other hosts from which a bulletin has arrived."""
        return list(self._hosts.values())

    @property
    def missed(self) -> int:
        """Launches that were not compared between hosts."""
        return self._windows.missed

    def refresh(self) -> None:
        """Read new bulletins."""
        for name, text in mail.fields(self._folder, mail.BULLETINS).items():
            host = self._hosts.setdefault(name, Host(name, len(self._hosts) + 1))
            if text.startswith(f"{host.number}\n"):
                continue
            host.number, host.known = bulletin.unpacked(text)
            host.heard = time.monotonic()
            host.launched = union.launched(host.known)
            if (answer := host.known["answer"]) is not None:
                host.answers[answer["number"]] = answer
                if len(host.answers) > _ANSWERS:
                    del host.answers[next(iter(host.answers))]

    def together(self, own: Sequences, ledger: Any) -> Sequences:
        """The processes of all connected hosts; compares what hosts have launched since the last poll."""
        self.refresh()
        self.union = Union(own, self.hosts)
        told = {"": bulletin.launched(ledger, own)} | {host.name: host.launched for host in self.hosts}
        self._differences += self._windows.compare(told)
        return self.union.sequences

    @property
    def differs(self) -> bool:
        """Whether there are differences to judge."""
        return bool(self._differences) or any(self._new(host) for host in self.hosts)

    def found(self) -> list[Difference]:
        """Differences between hosts, and those that processes of other hosts detected; to be judged now."""
        self._taken = (len(self._differences), {host.name: len(host.known["findings"]) for host in self.hosts})
        return [*self._differences, *(one for host in self.hosts for one in self._new(host))]

    def deal(self, suppressed: bool) -> None:
        """Mark these differences as judged."""
        count, findings = self._taken
        del self._differences[:count]
        for name, number in findings.items():
            before, self._dealt[name] = self._dealt.get(name, 0), number
            if suppressed:
                self._suppressed.setdefault(name, []).extend(range(before, number))

    def _new(self, host: Host) -> list[Difference]:
        findings = host.known["findings"][self._dealt.get(host.name, 0) :]
        return [(kind, int(key), number) for kind, key, number in findings]

    def silent(self) -> Iterator[Host]:
        """Hosts that do not respond, each once per silence."""
        for host in self.hosts:
            quiet = time.monotonic() - host.heard > SILENCE
            here = [one for one in host.processes if one["index"] not in self._gone]
            if quiet and here and not host.over and host.name not in self._silent:
                self._silent.add(host.name)
                yield host
            elif not quiet:
                self._silent.discard(host.name)

    def letters(self) -> list[tuple[Host, str, str]]:
        """Findings of processes of other hosts that have no answer yet."""
        return [
            (host, name, text)
            for host in self.hosts
            for name, text in host.known["letters"]
            if name not in self._answered.get(host.name, {})
        ]

    def answer(self, host: Host, letter: str, text: str) -> None:
        """Let a process of another host continue, or raise."""
        self._answered.setdefault(host.name, {})[letter] = text

    def ask(self, launch: tuple[int, int] | None, stacks: Sequence[Process] = ()) -> None:
        """Request details of a launch (key of the device set, number), and stacks, from the other hosts."""
        number = self._question["number"] + 1
        where = None if launch is None else [str(launch[0]), launch[1]]
        self._question = {"number": number, "launch": where, "stacks": [one.index for one in stacks]}
        self.order()
        until = time.monotonic() + _ANSWER
        while not all(number in host.answers for host in self.hosts) and time.monotonic() < until:
            time.sleep(_STEP)
            self.refresh()

    def stacks(self, processes: Sequence[Process]) -> dict[int, str]:
        """Python stacks of processes of other hosts, by lanes, as far as the hosts respond."""
        known = self.union
        if known is None or not processes:
            return {}
        self.ask(None, processes)
        answers = {one: known.host(one).answers.get(self._question["number"]) for one in processes}
        return {one.lane: str(told["stacks"].get(str(one.index), "")) for one, told in answers.items() if told}

    def see_off(self, processes: Sequence[Process]) -> None:
        """Record which processes have exited with all their launches compared, and which are checked."""
        self._gone = sorted(one.index for one in processes if one.gone)
        self._checked = sorted(one.index for one in processes if one.state != "blind")

    def order(self) -> None:
        """Publish the current orders."""
        self._outbox.post(
            {
                "question": self._question,
                "dealt": dict(self._dealt),
                "suppressed": {name: list(found) for name, found in self._suppressed.items()},
                "answers": {name: dict(answers) for name, answers in self._answered.items()},
                "end": self._end,
                "gone": self._gone,
                "checked": self._checked,
            }
        )

    def end(self, exit_code: int, elsewhere: int) -> None:
        """Order the other hosts to end their ``elsewhere`` processes, and wait until they are about to."""
        self._end = exit_code
        until = time.monotonic() + _END
        while sum(len(host.processes) for host in self.hosts if host.over) < elsewhere and time.monotonic() < until:
            self.order()
            time.sleep(_STEP)
            self.refresh()
