"""A snapshot that is sent as what differs from the one before arrives as it was."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from sanitizer.snapshots import blocked, collective, communicator, job, noticed, rank, running, signature

from jaxmpi_lint.runtime.hosts import differences
from jaxmpi_lint.runtime.hosts.asking import Answers
from jaxmpi_lint.runtime.hosts.portable import Packed, packed_snapshot, unpacked_snapshot
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot

from .test_joined import Book, NoDeaths

SUM = signature("MPI_Allreduce", "float", 8, 4, reduction="MPI_SUM")
RANKS = 50


def ledger(look: int, *, count: int = 3, ranks: int = RANKS) -> Snapshot:
    """Ranks that wait in one collective, at a later look."""
    times = random.Random(1)
    made = []
    for one in range(ranks):
        cpu = times.random() * 100 + look + random.Random(f"{look}, {one}").random() / 100
        thread = blocked("Allreduce", collective(count), signed=SUM, cpu_seconds=round(cpu, 3))
        made.append(rank(one, replace(thread, entered=round(times.random() * 100, 3))))
    whole = job(*made, communicators=(communicator([count] * ranks),), taken=100.0 + look)
    return replace(whole, ranks=tuple(replace(one, host=whole.host) for one in whole.ranks))


def sent(message: Any) -> Any:
    return json.loads(json.dumps(message))


def test_the_later_snapshot_arrives() -> None:
    snapshots = [ledger(0), ledger(1), ledger(2), ledger(2, count=4), ledger(3, ranks=7), ledger(4)]
    snapshots.append(replace(ledger(4), findings=(noticed("root", SUM, SUM),)))
    snapshots.append(replace(ledger(5), ranks=tuple(rank(one, running(), host="a") for one in range(RANKS))))
    snapshots.append(replace(ledger(6), communicators=()))
    snapshots.append(ledger(7))
    on_leaf: Packed = packed_snapshot(snapshots[0])
    at_root: Packed = sent(on_leaf)
    for one in snapshots[1:]:
        later = packed_snapshot(one)
        at_root = differences.applied(at_root, sent(differences.between(on_leaf, later)))
        on_leaf = later
        assert unpacked_snapshot(at_root) == one


def test_what_is_as_before_is_not_sent() -> None:
    first, second = packed_snapshot(ledger(0)), packed_snapshot(ledger(1))
    found = differences.between(first, second)
    assert set(found) == {"head", "threads"}
    assert [column for column in found["threads"][1:] if column] == [found["threads"][-3]]
    assert 3 * len(json.dumps(found)) < len(json.dumps(second))
    assert differences.between(first, first) == {}


@pytest.mark.parametrize(
    "damaged", [{"threads": [RANKS, 0]}, {"threads": 5}, {"lanes": [RANKS, *9 * [["-", [1, 2, 3]]]]}, {"lanes": []}]
)
def test_damaged_differences(damaged: Any) -> None:
    with pytest.raises((ValueError, IndexError, TypeError, KeyError)):
        unpacked_snapshot(differences.applied(packed_snapshot(ledger(0)), damaged))


def test_differences_only_from_what_the_root_has() -> None:
    answers = Answers(Book([ledger(0), ledger(1), ledger(2), ledger(3), ledger(4)]), NoDeaths(), "")
    first = answers.answer("snapshot", [None])
    assert first["since"] is None
    second = answers.answer("snapshot", [first["number"]])
    assert second["since"] == first["number"]
    lost = answers.answer("snapshot", [second["number"]])
    assert lost["since"] == second["number"]
    again = answers.answer("snapshot", [second["number"]])  # the answer before did not arrive
    assert again["since"] is None
    assert unpacked_snapshot(again["snapshot"]) == ledger(3)
