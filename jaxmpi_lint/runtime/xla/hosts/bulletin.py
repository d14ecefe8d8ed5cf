"""The bulletin that a host's monitor sends to the first host: its processes, their launches, their findings.

A bulletin holds the whole state, so one that is lost is replaced by the next. Device sets are named by their keys,
which are the same on all hosts.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jaxmpi_lint.runtime.ledger.sequences import Kept, Sequences
from jaxmpi_lint.runtime.ledger.snapshot import Site

WINDOW = 1024
"""Launches of a device set in a bulletin, the newest ones."""

_RECORDS = 64  # launches of a process that are sent with their source lines
_WORD = 8  # bytes
_WORDS = 3  # for each launch

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Launched:
    """The newest launches of a host on a device set."""

    first: int  # index of the first one
    words: bytes  # of each launch: collectives, program, item; 0: unknown

    def __len__(self) -> int:
        return len(self.words) // (_WORDS * _WORD)

    def at(self, sequence: int) -> tuple[int, int, int]:
        """The hashes of the collectives, of the program and of the item of a launch."""
        words = self.part(sequence, sequence + 1)
        collectives, program, item = (words[at : at + _WORD] for at in range(0, _WORDS * _WORD, _WORD))
        return int.from_bytes(collectives, "little"), int.from_bytes(program, "little"), int.from_bytes(item, "little")

    def part(self, first: int, last: int) -> bytes:
        """The words of the launches from ``first`` to ``last``, ``last`` excluded."""
        return self.words[(first - self.first) * _WORDS * _WORD : (last - self.first) * _WORDS * _WORD]


def launched(ledger: Any, now: Sequences) -> dict[int, Launched]:
    """The launches of this host, by keys of device sets."""
    found = {}
    for number, key in enumerate(now.keys):
        last = max((process.count(number) for process in now.processes), default=0)
        first = max(0, last - WINDOW)
        found[key] = Launched(first, ledger.launched(number, first, last - first))
    return found


def written(ledger: Any, now: Sequences, excused: Iterable[int], more: Fields) -> dict[str, Any]:
    """A bulletin as a JSON object. ``excused``: lanes of processes that are being ended from outside the job."""
    keys, without_blame = now.keys, frozenset(excused)
    processes, records = [], {}
    for one in now.processes:
        fields = {name: getattr(one, name) for name in ("index", "process", "state", "alive", "raised", "farewell")}
        fields |= {"launches": one.launches, "exit_status": one.exit_status, "excused": one.lane in without_blame}
        fields["counts"] = {str(keys[number]): count for number, count in enumerate(one.counts)}
        processes.append(fields)
        records[str(one.index)] = history(ledger, one.lane, now, _RECORDS)
    sets = {
        str(key): [now.sets[number], known.first, base64.b64encode(known.words).decode()]
        for number, (key, known) in enumerate(launched(ledger, now).items())
    }
    findings = [[one.kind, str(keys[one.set]), one.sequence] for one in now.findings]
    missed = [now.overtaken, now.unrecorded, now.unagreed]
    told = {"host": now.host, "processes": processes, "records": records, "sets": sets, "findings": findings}
    return {**told, "missed": missed, **more}


def history(ledger: Any, lane: int, now: Sequences, count: int) -> list[dict[str, Any]]:
    """The last launches of a process of this host, with keys of device sets."""
    return [{**fields, "set": str(now.keys[fields["set"]])} for fields in ledger.history(lane, count)]


def name_of(index: int, place: int, program: int) -> str:
    """The name of an executable in a bulletin, the same for all processes that run the same program."""
    return f"program {program}" if program else f"{index} {place}"


def kept_written(kept: Kept) -> list[Any]:
    """The details of an executable, as JSON."""
    sites = [[what, site and [site.file, site.line, site.function]] for what, site in kept.collectives]
    return [sites, kept.program]


def kept_read(fields: list[Any]) -> Kept:
    """Parse the result of `kept_written`."""
    collectives = tuple((what, site and Site(*site)) for what, site in fields[0])
    return Kept(collectives, fields[1])


def packed(number: int, content: Fields) -> str:
    """The content as text for the store: the number, then the compressed rest."""
    return f"{number}\n{base64.b85encode(zlib.compress(json.dumps(content).encode())).decode()}"


def unpacked(text: str) -> tuple[int, dict[str, Any]]:
    """Parse the text of `packed`; ValueError if it is malformed."""
    number, _, rest = text.partition("\n")
    try:
        content = json.loads(zlib.decompress(base64.b85decode(rest)))
    except zlib.error as error:
        raise ValueError(str(error)) from error
    return int(number), content
