"""Paths that ranks use as one, although each rank makes a part of them for itself: a clock, a temporary name.

A rank reads, lists or fills what no rank has made under its path, and a different rank has made it under the path that
is computed alike there. Or one rank lists its own folder for files that the others have written into theirs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import path_parts
from jaxmpi_lint.interpreter.communication import is_of_several
from jaxmpi_lint.interpreter.file_accesses import MAX_ACCESSES, FileAccess
from jaxmpi_lint.interpreter.path_parts import Parts
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.verdicts import Fault, Kind
from jaxmpi_lint.library.python.file_operations import Effect
from jaxmpi_lint.library.python.process_values import DESCRIPTIONS, REASONS, Variation

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

MAX_ORIGINS = 2
"""Values that differ are shown, up to this number."""

_FILLS = frozenset({Effect.WRITES, Effect.APPENDS})
_CREATES = _FILLS | {Effect.MAKES}
_ENDS = _CREATES | {Effect.REMOVES}
_USES_CONTENT = frozenset({Effect.READS, Effect.UPDATES})
_NEEDS = _USES_CONTENT | {Effect.LISTS, Effect.REMOVES}


@dataclass(eq=False)
class _Use:
    """An access to a path that holds values which one rank makes for itself."""

    access: FileAccess
    path: Parts
    order: int

    @cached_property
    def alike(self) -> Parts:
        """The path as all ranks compute it."""
        return path_parts.alike(self.path)

    @cached_property
    def own(self) -> dict[Symbol, Variation]:
        """The values in the path that this rank has made for itself."""
        return {s: v for s, v in path_parts.origins(self.path) if path_parts.maker(s) == self.rank}

    @property
    def rank(self) -> int:
        """The rank."""
        return self.access.rank

    @property
    def effect(self) -> Effect:
        """What happens to the file or folder."""
        return self.access.effect

    @property
    def variation(self) -> Variation:
        """How often the path differs between ranks: as often as the value in it that differs most."""
        return next(one for one in Variation if one in self.own.values())


def fault(world: World) -> Fault | None:
    """A path that ranks use as one and that differs between them; those that always differ first."""
    named = world.accesses.named
    opened = _opened_together(world)
    if opened is not None or not named or len(named) > MAX_ACCESSES or not is_of_several(world):
        return opened
    uses = [_Use(one, path_parts.parts(one.path), index) for index, one in enumerate(named)]
    single = [use for use in uses if use.own and not path_parts.has_other_values(use.access.path)]
    own = sorted(single, key=lambda use: list(Variation).index(use.variation))
    found = (_unmade(world, use, uses) or _partly_listed(world, use, own) for use in own)
    return next((one for one in found if one is not None), None) or _written_by_all(world, own)


def fault_of(
    world: World,
    use: FileAccess,
    other: FileAccess,
    own: dict[Symbol, Variation],
    detail: str,
    chance: Variation = Variation.ALWAYS,
) -> Fault:
    """The fault of a path; ``chance`` is how often paths that differ are wrong."""
    origins = tuple((*world.origins[one], DESCRIPTIONS[kind]) for one, kind in own.items() if one in world.origins)
    variation = max(next(one for one in Variation if one in own.values()), chance, key=list(Variation).index)
    reason = REASONS[next(one for one in Variation if one in own.values())]
    detail = f"{detail}: {reason}"
    return Fault(
        Kind.OWN_PATH, use, use.rank, other.rank, other, detail, origins=origins[:MAX_ORIGINS], variation=variation
    )


# --- calls that open one file together ---


def _opened_together(world: World) -> Fault | None:
    """Ranks of a communicator that open one file together, each under a path of its own."""
    first: dict[object, FileAccess] = {}
    counts: Counter[object] = Counter()
    for access, members in world.accesses.opened:
        site = access.place.module.path, access.place.span, members
        counts[site, access.rank] += 1
        other = first.setdefault((site, counts[site, access.rank]), access)
        own = dict(path_parts.origins(path_parts.parts(access.path)))
        if other.rank != access.rank and other.path != access.path and own and _are_alike(other, access):
            detail = f"rank {other.rank} and rank {access.rank} open one file together"
            return fault_of(world, access, other, own, detail)
    return None


def _are_alike(one: FileAccess, other: FileAccess) -> bool:
    return path_parts.alike(path_parts.parts(one.path)) == path_parts.alike(path_parts.parts(other.path))


# --- what no rank has made ---


def _unmade(world: World, use: _Use, uses: list[_Use]) -> Fault | None:
    """A file or folder that a rank needs, and that only a different rank has made, under its path."""
    needed = _needed(use)
    if not needed or use.access.tolerant or _may_exist(world, use, needed, uses):
        return None
    wanted = path_parts.alike(needed)
    for other in uses:
        if other.rank != use.rank and other.own and _makes(other, other.alike, wanted):
            detail = f"rank {use.rank} {_action(use)} that only rank {other.rank} {other.effect}"
            return fault_of(world, use.access, other.access, use.own, detail)
    return None


def _action(use: _Use) -> str:
    if use.effect in _FILLS:
        return "writes to a folder"
    return f"{use.effect} a {'folder' if use.effect is Effect.LISTS else 'file'}"


def _needed(use: _Use) -> Parts:
    """What must exist for an access: the file or folder itself, or the folder of a file that is written."""
    folder, _ = path_parts.split_pattern(use.path)
    needed = folder if use.effect in _NEEDS else use.path[:-1] if use.effect in _FILLS else ()
    held = {symbol for symbol, _ in path_parts.origins(needed)}
    return needed if held & use.own.keys() else ()


def _has_content(world: World, use: _Use) -> bool:
    """Whether an access to an empty file finds what it needs there."""
    return use.effect not in _USES_CONTENT or (use.rank, use.access.path) in world.accesses.filled


def _makes(one: _Use, path: Parts, needed: Parts) -> bool:
    """Whether an access makes what is needed: a folder with those above it, a file, or a whole folder by a copy."""
    if one.effect is Effect.MAKES:
        return path[: len(needed)] == needed
    return one.effect in _FILLS and needed[: len(path)] == path


def _may_exist(world: World, use: _Use, needed: Parts, uses: list[_Use]) -> bool:
    """Whether a rank has made it under this path, an unknown call may have done so, or the rank has tested for it."""
    if path_parts.is_folder_with_name(needed) or (path_parts.is_file_with_name(needed) and _has_content(world, use)):
        return True
    if any((use.rank, symbol) in world.accesses.handed for symbol in use.own):
        return True
    asked = (path for rank, path in world.accesses.asked if rank == use.rank and isinstance(path, Symbol))
    if any(path_parts.parts(path)[: len(needed)] == needed for path in asked):
        return True
    earlier = (one for one in uses if one is not use and not (one.rank == use.rank and one.order > use.order))
    return any(_makes(one, one.path, needed) for one in earlier)


# --- folders of which one rank sees only its own files ---


def _partly_listed(world: World, use: _Use, own: list[_Use]) -> Fault | None:
    """A rank that lists a folder for the files of all, while each rank has written to a folder of its own."""
    if use.effect is not Effect.LISTS:
        return None
    folder, start = map(path_parts.alike, path_parts.split_pattern(use.path))
    mine = {one.alike for one in own if one.rank == use.rank and one.effect in _FILLS}
    seekers = {one.rank for one in own if one.effect not in _ENDS and one.alike[: len(folder)] == folder}
    unseen = (one for one in own if one.effect in _FILLS and one.rank not in seekers and one.alike not in mine)
    other = next((one for one in unseen if _is_listed(one.alike, folder, start)), None)
    if other is None:
        return None
    detail = f"rank {use.rank} lists a folder for files that rank {other.rank} writes to it"
    return fault_of(world, use.access, other.access, use.own, detail, Variation.USUALLY)


def _is_listed(path: Parts, folder: Parts, start: Parts) -> bool:
    """Whether a path lies in a folder, with a name that begins as the pattern does."""
    if len(path) <= len(folder) or path[: len(folder)] != folder:
        return False
    return not start or path_parts.begins(path[len(folder)], start[0])


# --- one file for all, with the time in its name ---


def _written_by_all(world: World, own: list[_Use]) -> Fault | None:
    """A file that several ranks write, and whose name differs between them only by the second of their clocks."""
    first: dict[Parts, _Use] = {}
    for use in own:
        if use.effect is Effect.WRITES and _is_stamped(use) and not world.accesses.is_unknown:
            other = first.setdefault(use.alike, use)
            if other.rank != use.rank:
                detail = f"rank {other.rank} and rank {use.rank} write one file with the time in its name"
                return fault_of(world, use.access, other.access, use.own, detail)
    return None


def _is_stamped(use: _Use) -> bool:
    """Whether times that are shown as text are all that differs between the paths of two ranks."""
    path = use.access.path
    words = path.words(depth=8) if isinstance(path, Symbol) else set()
    return "strftime" in words and all("clock" in symbol.own for symbol in path_parts.made_in(path))
