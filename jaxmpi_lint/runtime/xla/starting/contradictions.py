"""Errors at the start of a job: arguments that contradict each other, and a process that ended before it was in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.xla.starting.board import Marker
from jaxmpi_lint.runtime.xla.starting.group import Group
from jaxmpi_lint.runtime.xla.starting.origin import Started, is_being_ended

SETTLED = 1.5  # seconds for which a contradiction must last
CALL = "`jax.distributed.initialize`"


def contradiction(group: Group) -> Finding | None:
    """The finding about arguments that cannot all be right."""
    return same_id(group) or different_number(group)


def _known(group: Group) -> list[Marker]:
    """Processes whose arguments count; none if this process is not one of them.

    Only first calls count: a program that calls again may pass different arguments, and the others follow later.
    """
    found = [
        one
        for one in group.fellows
        if one.attempt == 1 and None not in (one.index, one.number) and not is_being_ended(one.process)
    ]
    return found if group.me in found else []


def same_id(group: Group) -> Finding | None:
    """The finding about two processes with one id."""
    known = _known(group)
    for index, ones in sorted(_grouped((one.index or 0, one) for one in known).items()):
        # Of processes that have returned the coordinator has taken all.
        if len(ones) > 1 and any(one.calls for one in ones):
            many = wording.plural(len(ones), "process")
            message = f"{many} of one job pass process_id={index} to {CALL} with the coordinator {ones[0].written}"
            remedy = f"Pass a different process_id, from 0 to {(ones[0].number or 1) - 1}, in every process."
            return Finding("JS509", message, (index,), sides(ones), remedy=remedy, when=group.now)
    return None


def different_number(group: Group) -> Finding | None:
    """The finding about different numbers of processes."""
    known = _known(group)
    by_number = _grouped((one.number or 0, one) for one in known)
    if len(by_number) < 2:
        return None
    values = wording.joined([str(number) for number in sorted(by_number)])
    message = f"processes of one job pass num_processes={values} to {CALL} with the coordinator {known[0].written}"
    ranks = tuple(sorted({one.index or 0 for one in known}))
    remedy = "Pass the number of all processes of the job as num_processes in every process."
    return Finding("JS509", message, ranks, sides(known), remedy=remedy, when=group.now)


def _grouped(pairs: Iterable[tuple[int, Marker]]) -> dict[int, list[Marker]]:
    found: dict[int, list[Marker]] = defaultdict(list)
    for key, one in pairs:
        found[key].append(one)
    return found


def ended(group: Group, alive: Mapping[int, Started]) -> Finding | None:
    """The finding about a rank that ended before it called `initialize`, and that nothing starts again.

    The job must use JAX on all ranks of the launcher, with ids that are ranks, as far as its processes have called.
    ``alive`` are the ranks that have a process.
    """
    me = group.me
    own = [one for one in group.fellows if one.origin.job == me.origin.job]
    if not me.origin.job or me.number != me.origin.size or any(one.index != one.origin.rank for one in own):
        return None
    for index in group.missing:
        were = [one for one in group.related if one.origin.rank == index]
        if index in alive or not were or any(one.alive or not one.origin.daemon for one in were):
            continue
        last = max(were, key=lambda one: one.imported)
        seconds = f"for {group.seconds:.0f} s"
        waiting = sides([one for one in own if one.calls], f"waits {seconds}")
        way = last.end or "was killed, or ended by `os._exit`"
        message = f"{names(own)} in {CALL} for process {index}, which has ended: {way}"
        gone = Side((index,), call(last) if last.attempt else "", last.site, "has ended", True)
        return Finding(
            "JS510", message, tuple(sorted({*(one.index or 0 for one in own), index})), (*waiting, gone), when=group.now
        )
    return None


def sides(markers: Sequence[Marker], remark: str = "") -> tuple[Side, ...]:
    """The calls of processes, with what the launcher knows of them."""
    return tuple(
        Side(() if one.index is None else (one.index,), call(one), one.site, f"{remark}, {who(one)}".lstrip(", "))
        for one in markers
    )


def call(marker: Marker) -> str:
    """``initialize('localhost:1234', num_processes=2, process_id=1)``; what is unknown is left out."""
    given = [f"'{marker.written}'"] if marker.written else []
    given += [f"num_processes={marker.number}"] if marker.number is not None else []
    given += [f"process_id={marker.index}"] if marker.index is not None else []
    return f"initialize({', '.join(given)})"


def who(marker: Marker) -> str:
    """``rank 1 of the launcher, pid 4711``."""
    rank = marker.origin.rank
    return f"pid {marker.process}" if rank is None else f"rank {rank} of the launcher, pid {marker.process}"


def names(waiting: Sequence[Marker]) -> str:
    """``process 0 waits``, ``processes 0 and 2 wait``."""
    known = sorted({one.index for one in waiting if one.index is not None})
    if not known:
        return f"pid {waiting[0].process} waits"
    return f"{numbers(known)} {wording.verb(known, 'waits', 'wait')}"


def numbers(known: Sequence[int]) -> str:
    """``process 3``, ``processes 0 and 5``."""
    return wording.ranks(known).replace("ranks", "processes").replace("rank", "process")
