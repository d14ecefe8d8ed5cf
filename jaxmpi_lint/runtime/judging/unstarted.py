"""Persistent requests that a rank made and never started, and for which another rank waits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.judging.wait_for_graph import Stuck
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.snapshot import Record, Snapshot, Wait

_ASKED = 64  # ranks whose histories are read
_RECEIVES = ("receive", "probe")
_STARTS = ("MPI_Start", "MPI_Startall")
_PERSISTENT = ("_init", "_init_c")


def notes(stuck: Iterable[Stuck], history: History) -> Iterator[str]:
    """One note for each request whose message would end a wait of one of these threads."""
    asked: set[int] = set()
    for one in stuck:
        for need in one.needs:
            if need.wait.kind == "collective":
                continue
            for other in need.ranks:
                asked.add(other)
                if len(asked) > _ASKED:
                    return
                records = history(other)
                for position, made in enumerate(records):
                    if _would_end(made, one.rank, need.wait) and not _is_started(made, records[position + 1 :]):
                        yield _note(other, one.rank, made)


def collectives(snapshot: Snapshot, history: History) -> Iterator[str]:
    """One note for each persistent collective that ranks wait for, and that another rank made and has not started."""
    asked: set[int] = set()
    for communicator in snapshot.communicators:
        for ordinal, inside in sorted(_awaited(snapshot, communicator.index).items()):
            members = {lane.rank for lane in communicator.lanes if lane.state == "member"}
            for rank in sorted(members - inside):
                asked.add(rank)
                if len(asked) > _ASKED:
                    return
                made = _made(history(rank), communicator.index, ordinal)
                if made is not None:
                    yield _collective(rank, made)


def _awaited(snapshot: Snapshot, communicator: int) -> dict[int, set[int]]:
    """The collectives of a communicator that ranks are blocked in, by their ordinals, and these ranks."""
    found: dict[int, set[int]] = defaultdict(set)
    for rank in snapshot.ranks:
        for thread in rank.threads:
            for wait in thread.waits if thread.activity == "blocked" else ():
                if wait.kind == "collective" and wait.communicator == communicator:
                    found[wait.ordinal].add(rank.rank)
    return found


def _made(records: Sequence[Record], communicator: int, ordinal: int) -> Record | None:
    """The call that made a persistent collective, if nothing after it can have started it."""
    for position, made in enumerate(records):
        if (made.communicator, made.ordinal) == (communicator, ordinal) and made.function.endswith(_PERSISTENT):
            return None if any(_may_start(made, later) for later in records[position + 1 :]) else made
    return None


def _may_start(made: Record, later: Record) -> bool:
    """Whether a call may start a persistent collective; which one of its communicator is not recorded."""
    return later.function in _STARTS and later.peer is None and later.communicator == made.communicator


def _collective(owner: int, made: Record) -> str:
    at = f" at {excerpt.line(made.site)}" if made.site is not None else ""
    return f"rank {owner} made a persistent collective ({wording.function(made.function)}{at}) and has not started it"


def _would_end(made: Record, rank: int, wait: Wait) -> bool:
    """Whether a record is that of a persistent request which matches a wait of ``rank``."""
    kind = "Recv_init" if wait.kind not in _RECEIVES else "send_init"
    fits = made.peer in (rank, None) and (None in (made.tag, wait.tag) or made.tag == wait.tag)
    is_one = wording.function(made.function).lower().endswith(kind.lower())
    return is_one and fits and made.communicator == wait.communicator


def _is_started(made: Record, later: Sequence[Record]) -> bool:
    """Whether a later call started a request with these arguments; a record never precedes its request's."""
    arguments = made.communicator, made.peer, made.tag, made.signature.function
    starts = (one for one in later if one.function in _STARTS)
    return any((one.communicator, one.peer, one.tag, one.signature.function) == arguments for one in starts)


def _note(owner: int, rank: int, made: Record) -> str:
    name = wording.function(made.function)
    at = f" at {excerpt.line(made.site)}" if made.site is not None else ""
    toward = "from" if name == "Recv_init" else "to"
    return f"rank {owner} made a persistent request ({name} {toward} rank {rank}{at}) and never started it"
