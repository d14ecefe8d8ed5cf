"""Messages between hosts that do not fit their receives."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sanitizer.snapshots import job, rank, record, signature

from jaxmpi_lint.runtime.judging.message_contents import differing
from jaxmpi_lint.runtime.ledger.snapshot import Record, Signature, Snapshot

NUMBERS = ("float", 8, 4)


def sent(ordinal: int, *contents: object, **more: object) -> Record:
    return record(ordinal, 0, "Send", peer=1, tag=7, ordinal=ordinal, signature=_of("MPI_Send", contents), **more)


def received(ordinal: int, *contents: object, **more: object) -> Record:
    return record(ordinal, 1, "Recv", peer=0, tag=7, ordinal=ordinal, signature=_of("MPI_Recv", contents), **more)


def _of(function: str, contents: Sequence[object]) -> Signature:
    return signature(function, *(contents or NUMBERS))  # type: ignore[arg-type]


def hosts(*names: str) -> Snapshot:
    return job(*(rank(number, host=name) for number, name in enumerate(names)))


def codes(mine: Sequence[Record], theirs: Sequence[Record], *names: str) -> list[str]:
    found = differing(hosts(*(names or ("a", "b"))), {0: mine, 1: theirs})
    return [f"{one.code}: {one.message}" for one in found]


def test_type() -> None:
    (found,) = codes([sent(1), sent(2, "signed", 8, 4)], [received(1), received(2)])
    assert found.startswith("JS206: rank 1 receives 4 x int64 (32 bytes) from rank 0 on MPI_COMM_WORLD, but")


def test_truncation() -> None:
    (found,) = codes([sent(1)], [received(1, "float", 8, 2, result=15)])
    assert found.startswith("JS206: rank 1 receives 4 x float64 (32 bytes) from rank 0")
    assert "has room for only 2 x float64" in found


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (sent(1), received(1)),
        (sent(1), received(1, "float", 8, 9)),  # room for more
        (sent(1), received(1, "byte", 1, 32)),  # what the bits mean is left open
        (sent(1), received(2, "signed", 8, 4)),  # another message
        (sent(1), received(0, "signed", 8, 4)),  # which one is not known
        (sent(1), received(1, "float", 8, 2)),  # MPI did not truncate it: another message
        (sent(1, "nothing", 0, 0), received(1, "signed", 8, 4)),
    ],
)
def test_what_is_no_finding(mine: Record, theirs: Record) -> None:
    assert not codes([mine], [theirs])


def test_messages_of_two_threads_may_overtake_each_other() -> None:
    assert not codes([sent(1, thread=0), sent(2, "signed", 8, 4, thread=1)], [received(1), received(2)])


def test_ranks_of_one_host_compare_themselves() -> None:
    assert not codes([sent(1, "signed", 8, 4)], [received(1)], "a", "a")
