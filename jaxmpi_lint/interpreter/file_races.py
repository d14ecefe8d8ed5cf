"""Accesses of different ranks to one file, or to a file and its folder, that nothing orders."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.communication import is_of_several
from jaxmpi_lint.interpreter.file_accesses import MAX_ACCESSES, FileAccess, is_below
from jaxmpi_lint.interpreter.own_listings import looks_for_own
from jaxmpi_lint.interpreter.verdicts import Fault, Kind
from jaxmpi_lint.library.python.file_operations import AT_ONCE, LENIENT_LISTINGS, LOCKED, Effect

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


def race(world: World) -> Fault | None:
    """Two accesses of different ranks to one file of which one changes it, and which nothing orders."""
    accesses = world.accesses
    if accesses.is_unknown or world.opaque or len(accesses.made) > MAX_ACCESSES or not is_of_several(world):
        return None
    compared = accesses.all if len(accesses.all) <= MAX_ACCESSES else accesses.made
    uses: list[tuple[FileAccess, FileAccess]] = []
    for one, other in combinations(compared, 2):
        if one.rank == other.rank or _are_ordered(one, other):
            continue
        if _both_change(one, other):
            detail = f"rank {one.rank} and rank {other.rank} {_plural(one.effect)} {_name(one)}"
            return Fault(Kind.FILE_CHANGED, one, one.rank, other.rank, other, detail)
        pair = _use_of_change(one, other) or _use_of_change(other, one)
        if pair is not None and not any(holds(world, *pair) for holds in (_has_made, _has_asked, _was_there)):
            uses.append(pair)
    return _out_of_order(*min(uses, key=_by_file)) if uses else None


def _by_file(pair: tuple[FileAccess, FileAccess]) -> bool:
    """Accesses to one file first, then those to a file and its folder."""
    return bool(pair[0].path != pair[1].path)


def _out_of_order(change: FileAccess, use: FileAccess) -> Fault:
    detail = f"rank {use.rank} {use.effect} {_name(use)}, which rank {change.rank} {change.effect}"
    if is_below(change.path, use.path):
        folder = _name(use) if isinstance(use.path, str) else "a folder"
        detail = f"rank {use.rank} {use.effect} {folder}, rank {change.rank} {change.effect} a file in it"
    elif change.path != use.path:
        what = _name(change) if isinstance(change.path, str) else "its folder"
        detail = f"rank {use.rank} {use.effect} {_name(use)}, rank {change.rank} {change.effect} {what}"
    return Fault(Kind.FILE_ORDER, use, use.rank, change.rank, change, detail)


def _are_ordered(one: FileAccess, other: FileAccess) -> bool:
    before = other.clock[one.rank] >= one.clock[one.rank]
    return before or one.clock[other.rank] >= other.clock[other.rank]


def _both_change(one: FileAccess, other: FileAccess) -> bool:
    if one.path != other.path or one.effect is not other.effect:
        return False
    if one.effect is Effect.WRITES:
        return True
    return one.effect in (Effect.REMOVES, Effect.MAKES) and not (one.tolerant or other.tolerant)


_USES: dict[Effect, frozenset[Effect]] = {
    Effect.WRITES: frozenset({Effect.READS}),
    Effect.REMOVES: frozenset({Effect.READS, Effect.WRITES, Effect.APPENDS, Effect.UPDATES, Effect.LISTS}),
}


def _use_of_change(change: FileAccess, use: FileAccess) -> tuple[FileAccess, FileAccess] | None:
    """The pair if the second access depends on when the first one happens."""
    is_lenient = use.effect is Effect.LISTS and use.label.rpartition(".")[2] in LENIENT_LISTINGS
    if change.effect is Effect.MAKES and is_lenient:
        return None
    if use.waiting and change.label.rpartition(".")[2] in AT_ONCE:
        return None
    if change.path == use.path:
        fits = use.effect in _USES.get(change.effect, ())
        fits = fits or (change.effect is Effect.MAKES and use.effect is Effect.LISTS)
        fits = fits or _is_locked(change, use)
    elif is_below(use.path, change.path):
        fits = change.effect in (Effect.MAKES, Effect.REMOVES) and use.effect is not Effect.REMOVES
        fits = fits and not (change.effect is Effect.MAKES and use.with_parents)
    else:
        fits = is_below(change.path, use.path) and use.effect is Effect.LISTS and change.effect is Effect.WRITES
        fits = fits and not looks_for_own(use.place)
    return (change, use) if fits else None


def _is_locked(change: FileAccess, use: FileAccess) -> bool:
    """Whether one rank opens a file that HDF5 locks for changes, and another one opens it as well."""
    if not {change.label, use.label} <= LOCKED or change.tolerant or use.tolerant:
        return False
    return change.effect in (Effect.UPDATES, Effect.APPENDS) and use.effect in (Effect.READS, Effect.UPDATES)


def _has_made(world: World, change: FileAccess, use: FileAccess) -> bool:
    """Whether the rank that uses a file or folder has made it itself before."""
    made = (Effect.MAKES, Effect.WRITES)
    return change.effect in made and any(
        one.rank == use.rank
        and (one.path == change.path or (one.with_parents and is_below(one.path, change.path)))
        and one.effect in made
        and one.clock <= use.clock
        for one in world.accesses.all
    )


def _has_asked(world: World, change: FileAccess, use: FileAccess) -> bool:
    """Whether the rank that uses a file has tested if it is there: it may wait for it."""
    return any((use.rank, path) in world.accesses.asked for path in (change.path, use.path))


def _was_there(world: World, change: FileAccess, use: FileAccess) -> bool:
    """Whether the rank that makes a folder has read a file in it before, so that it makes nothing."""
    number = change.rank
    return change.effect is Effect.MAKES and any(
        one.rank == number
        and one.effect in (Effect.READS, Effect.UPDATES, Effect.LISTS)
        and (one.path == change.path or is_below(one.path, change.path))
        and one.clock[number] < change.clock[number]
        for one in world.accesses.all
    )


def _plural(effect: Effect) -> str:
    return {Effect.WRITES: "write", Effect.REMOVES: "remove", Effect.MAKES: "make"}[effect]


def _name(access: FileAccess) -> str:
    what = "folder" if access.effect is Effect.MAKES else "file"
    return f"`{access.path}`" if isinstance(access.path, str) else f"the same {what}"
