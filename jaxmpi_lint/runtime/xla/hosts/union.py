"""The processes of all hosts as one job, for a joint judgement."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.ledger import sequences
from jaxmpi_lint.runtime.ledger.sequences import LANES, Kept, Process, Program, Record, Sequences, is_remote
from jaxmpi_lint.runtime.xla.hosts import bulletin
from jaxmpi_lint.runtime.xla.hosts.bulletin import Launched


@dataclass(slots=True)
class Host:
    """The last bulletin of another host."""

    name: str  # see `mail.identity`
    place: int  # index among the other hosts, from 1
    number: int = -1  # of its last bulletin
    heard: float = 0.0  # when it arrived
    known: dict[str, Any] = field(default_factory=dict)
    launched: dict[int, Launched] = field(default_factory=dict)  # by keys of device sets
    answers: dict[int, dict[str, Any]] = field(default_factory=dict)  # by number of the question, the last ones

    @property
    def over(self) -> bool:
        """Whether the host ends its processes."""
        return bool(self.known.get("over"))

    @property
    def processes(self) -> Sequence[Mapping[str, Any]]:
        """The processes of the host."""
        return list(self.known.get("processes", ()))


def launched(known: Mapping[str, Any]) -> dict[int, Launched]:
    """The launches in a bulletin, by keys of device sets."""
    return {int(key): Launched(first, base64.b64decode(words)) for key, (_, first, words) in known["sets"].items()}


class Union:
    """This host's processes together with those of the other hosts."""

    def __init__(self, own: Sequences, hosts: Sequence[Host]) -> None:
        self._by_lane: dict[int, tuple[Host, Mapping[str, Any]]] = {}
        named = dict(zip(own.keys, own.sets, strict=True))
        for host in hosts:
            for key, (name, _, _) in host.known.get("sets", {}).items():
                named.setdefault(int(key), name)
        self.keys, names = list(named), named.values()
        processes = list(own.processes)
        for host in hosts:
            for place, fields in enumerate(host.processes):
                processes.append(self._process(host.place * LANES + place, fields))
                self._by_lane[processes[-1].lane] = (host, fields)
        missed = [host.known["missed"] for host in hosts]
        self.sequences = replace(
            own,
            processes=tuple(processes),
            keys=tuple(self.keys),
            sets=tuple(names),
            host=wording.plural(len(hosts) + 1, "host") if hosts else own.host,
            overtaken=own.overtaken + sum(one[0] for one in missed),
            unrecorded=own.unrecorded + sum(one[1] for one in missed),
            unagreed=own.unagreed + sum(one[2] for one in missed),
        )

    def host(self, process: Process) -> Host:
        """The host of a remote process."""
        return self._by_lane[process.lane][0]

    def excused(self, process: Process) -> bool:
        """Whether a process of another host is being ended from outside the job."""
        return is_remote(process) and bool(self._by_lane[process.lane][1]["excused"])

    def history(self, process: Process) -> Sequence[Record]:
        """The known launches of a remote process: the last ones, and those that were requested."""
        host = self.host(process)
        lists = [host.known["records"], *(answer["records"] for answer in host.answers.values())]
        every = [fields for one in lists for fields in one.get(str(process.index), ())]
        known = {(fields["set"], fields["sequence"]): fields for fields in every}
        ordered = sorted(known.values(), key=lambda fields: float(fields["when"]))
        return tuple(sequences.record({**one, "set": self.keys.index(int(one["set"]))}) for one in ordered)

    def details(self, process: Process, program: Program) -> Kept:
        """The details of an executable, as answered by its host."""
        for answer in reversed(self.host(process).answers.values()):
            fields = answer["kept"].get(bulletin.name_of(process.index, program.place, program.program))
            if fields is not None:
                return bulletin.kept_read(fields)
        return Kept((), "")

    def _process(self, lane: int, fields: Mapping[str, Any]) -> Process:
        kept = {name: value for name, value in fields.items() if name not in ("counts", "excused")}
        counts = tuple(int(fields["counts"].get(str(key), 0)) for key in self.keys)
        return Process(lane=lane, counts=counts, **kept)
