"""Snapshots and histories that are sent between hosts arrive as they were."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sanitizer.snapshots import (
    blocked,
    collective,
    communicator,
    job,
    lanes,
    messages,
    noticed,
    rank,
    record,
    signature,
)

from jaxmpi_lint.runtime.hosts import columns
from jaxmpi_lint.runtime.hosts.portable import (
    packed_records,
    packed_snapshot,
    unpacked_records,
    unpacked_snapshot,
)
from jaxmpi_lint.runtime.hosts.wire import packed, unpacked
from jaxmpi_lint.runtime.ledger.native_site import NativeSite
from jaxmpi_lint.runtime.ledger.snapshot import Site

VALUES = st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64), st.text(max_size=3))
SUM = signature("MPI_Allreduce", "float", 8, 4, reduction="MPI_SUM")
OUTER = Site("/a/train.py", 7, "step")
INNER = Site("/a/utils.py", 3, "mean", OUTER, "", (OUTER, Site("/a/main.py", 1, "<module>")))


@settings(deadline=None)
@given(st.lists(VALUES) | st.lists(st.integers(0, 2**64), min_size=20))
def test_column(values: list[Any]) -> None:
    sent = unpacked(packed({"column": columns.packed(values)}))["column"]
    found = columns.unpacked(sent, len(values))
    assert list(map(repr, found)) == list(map(repr, values))


@pytest.mark.parametrize(
    "column",
    [
        ("+", [1], [2]),
        ("+", [1, 1], [-1, 4]),
        ("+", [1, 1], []),
        ("+", [1, 1], [3]),
        ("?", ["a"], [0], [4]),
        ("?", ["a"], [1], [3]),
        ("b", 5, 3, "AA=="),
        ("b", 5, 3, "?"),
        ("b", 5, 0, "AAAA"),
        ("=", [1, 2]),
        (),
    ],
)
def test_damaged_column(column: columns.Column) -> None:
    with pytest.raises((ValueError, IndexError)):
        columns.unpacked(column, 3)


def test_snapshot_with_everything() -> None:
    native = NativeSite("/a/solve", "ab12", 4711, OUTER, (INNER,))
    inside = blocked("Allreduce", collective(3, 5), collective(4, 5), site=INNER, signed=SUM)
    world = replace(communicator([3, 4], index=5), remote=(8, 9), failed=2)
    lane = replace(lanes([4])[0], checkpoints=((1, 2**63 + 5), (2, 7)), site=native)
    other = replace(communicator([4], index=9, name="sub"), lanes=(lane,))
    whole = job(
        rank(0, inside, blocked("Recv", slot=1, site=native)),
        rank(1, state="exited", exit_status=-9, farewell="Traceback"),
        host="a",
        communicators=(world, other),
        channels=(replace(messages(None, 1, None, sent=3), communicator=5, identity=6, site=INNER),),
        findings=(noticed("root", SUM, SUM, communicator=5, site=native, when=99.25),),
    )
    found = unpacked_snapshot(unpacked(packed(dict(packed_snapshot(whole)))))
    assert found == replace(whole, ranks=tuple(replace(one, host="a") for one in whole.ranks))


def test_history() -> None:
    past = [record(at, 3, "Allreduce", ordinal=at, signature=SUM, site=INNER) for at in range(40)]
    past.append(record(41, 3, "Recv", peer=2, tag=5, left=None))
    assert unpacked_records(unpacked(packed(dict(packed_records(past))))) == past


def test_ranks_that_do_the_same_take_little_space() -> None:
    def size(count: int) -> int:
        ranks = [rank(one, blocked("Allreduce", collective(3), signed=SUM, site=INNER)) for one in range(count)]
        return len(packed(dict(packed_snapshot(job(*ranks, communicators=(communicator([3] * count),))))))

    assert size(4000) < 2 * size(4)
