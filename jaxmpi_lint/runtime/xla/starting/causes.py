"""The notice about processes that wait in `initialize`: for which others, and what is known of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.xla.starting import address
from jaxmpi_lint.runtime.xla.starting.board import INITIALISED, RAISED, Marker
from jaxmpi_lint.runtime.xla.starting.contradictions import CALL, call, names, numbers, sides, who
from jaxmpi_lint.runtime.xla.starting.group import Group
from jaxmpi_lint.runtime.xla.starting.origin import Started

_IMPORTING = 4.0  # seconds in which a process that imports JAX is expected to call `initialize`
_STARTING = 5.0  # seconds in which a process is expected to import JAX


@dataclass(frozen=True, slots=True)
class Cause:
    """What may be the reason that processes wait, with the process that it is about."""

    text: str
    marker: Marker | None = None


def notice(group: Group, alive: Mapping[int, Started], patient: bool) -> Finding | None:
    """The notice, None while there is nothing to tell; ``patient``: also without a known cause."""
    waiting = [one for one in group.fellows if one.calls]
    if group.me.number is not None and not group.missing:
        return None
    if not patient and is_starting(group, alive):
        return None
    causes = list(_causes(group, alive))
    if not causes and not patient and not _is_local(group):
        return None
    waits_for = f" for {numbers(group.missing)}" if group.missing else ""
    first = f": {causes[0].text}" if causes else ""
    message = f"{names(waiting)} for {group.seconds:.0f} s in {CALL}{waits_for}{first}"
    others = [one.marker for one in causes if one.marker is not None and one.marker.attempt]
    shown = (*sides(waiting, "waits"), *_others(others, waiting))
    ranks = tuple(sorted({one.index for one in waiting if one.index is not None}))
    notes = [one.text for one in causes[1:]]
    notes += [] if causes else ["no process of this host has passed these ids; they may be on a different host"]
    notes.append("this is no error: processes may be slow to start; the job continues to wait")
    return Finding("JS511", message, ranks, shown, notes=tuple(notes), subject=first, when=group.now)


def is_starting(group: Group, alive: Mapping[int, Started]) -> bool:
    """Whether a process that was started together with these has only begun to run."""
    young = [one for one in group.related if one.alive and not one.attempt and group.now - one.imported < _IMPORTING]
    present = {one.origin.rank for one in group.markers if one.origin.job == group.me.origin.job}
    return bool(young) or any(process.age < _STARTING for rank, process in alive.items() if rank not in present)


def _is_local(group: Group) -> bool:
    """Whether all processes of the job must be on this host."""
    host = group.me.written.rpartition(":")[0]
    return address.is_loopback(host) or group.me.origin.all_here


def _causes(group: Group, alive: Mapping[int, Started]) -> Iterator[Cause]:
    yield from _elsewhere(group)
    yield from _raised(group)
    yield from _ended(group)
    yield from _not_called(group, alive)
    yield from _too_many(group)
    yield from _port(group)


def _elsewhere(group: Group) -> Iterator[Cause]:
    for one in group.related:
        if one.calls and one.address and group.me.address and one.address != group.me.address:
            yield Cause(
                f"{names([one])} at a different coordinator, {one.written} instead of {group.me.written}{_at(one)}", one
            )


def _raised(group: Group) -> Iterator[Cause]:
    for one in _unsuccessful(group):
        if one.state == RAISED:
            given = f"{call(one)}{_at(one)} ({who(one)})"
            yield Cause(f"{given} raised {one.end or 'an exception'}", one)


def _ended(group: Group) -> Iterator[Cause]:
    for one in _unsuccessful(group):
        if not one.alive and one.state != RAISED:
            did = "while it was in" if one.attempt else "before it called"
            yield Cause(f"a process ({who(one)}) has ended {did} {CALL}: {one.end or 'it was killed'}", one)


def _unsuccessful(group: Group) -> Iterator[Marker]:
    """Processes of this start that did not get in and have no successor."""
    retried = {one.origin.rank for one in group.related if one.is_in and one.origin.rank is not None}
    present = {one.index for one in group.fellows}
    same = [one for one in group.markers if one not in group.related and one.address == group.me.address != ""]
    for one in [*group.related, *same]:
        succeeded = one.is_in or one.state == INITIALISED or one.origin.rank in retried
        if not succeeded and (one.index is None or one.index not in present) and one is not group.me:
            yield one


def _not_called(group: Group, alive: Mapping[int, Started]) -> Iterator[Cause]:
    """Ranks of the launcher that have not called `initialize`; plain processes that have only imported JAX."""
    me = group.me.origin
    if not me.job:
        for one in group.related:
            if one.alive and not one.attempt:
                yield Cause(f"a process ({who(one)}) has imported jax and has not called {CALL}", one)
        return
    imported = {one.origin.rank for one in group.related if one.alive and not one.attempt}
    known = {me.rank, *(one.origin.rank for one in group.related if one.attempt or not one.alive)}
    absent = [rank for rank in range(me.size) if rank not in known]
    for ranks, what in (
        ([rank for rank in absent if rank in imported], "imported jax and not called"),
        ([rank for rank in absent if rank in alive and rank not in imported], "not yet imported jax, nor called"),
        ([rank for rank in absent if rank not in alive and rank not in imported and me.all_here], ""),
    ):
        if ranks and what:
            yield Cause(f"{wording.ranks(ranks)} of the launcher {wording.verb(ranks, 'has', 'have')} {what} {CALL}")
        elif ranks:
            verb = wording.verb(ranks, "has", "have")
            yield Cause(f"{wording.ranks(ranks)} of the launcher {verb} ended without a call of {CALL}")


def _too_many(group: Group) -> Iterator[Cause]:
    size, number = group.me.origin.size, group.me.number or 0
    if group.me.origin.job and number > size:
        yield Cause(f"num_processes is {number}, but the launcher started {wording.plural(size, 'process')}")
    called = {one.index for one in group.related if one.calls and one.index is not None}
    ids = sorted(index for index in called if index >= number > 0)
    if ids:
        yield Cause(f"{numbers(ids)} cannot be in a job of num_processes={number}")


def _port(group: Group) -> Iterator[Cause]:
    host, _, port = group.me.written.rpartition(":")
    if not port.isdigit() or not address.is_here(host.strip("[]")) or 0 not in group.missing:
        return
    if address.has_listener(int(port)) is False:
        yield Cause(
            f"no process listens on port {port} of this host: process 0 of the job, which opens it, "
            "has not called, or has passed a different coordinator address"
        )


def _at(marker: Marker) -> str:
    return f" at {excerpt.place(marker.site)}" if marker.site is not None else ""


def _others(markers: list[Marker], shown: list[Marker]) -> Iterator[Side]:
    for one in markers:
        if one not in shown:
            yield from sides([one], "waits at a different coordinator" if one.calls else "did not get in")
