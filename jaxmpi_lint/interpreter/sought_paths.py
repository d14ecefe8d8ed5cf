"""Files that a rank looks for under its separate path, and that only a different rank has made, under its path.

The first one does not find them; if it raises an exception then, the program cannot work with several ranks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import path_parts
from jaxmpi_lint.interpreter.communication import is_of_several
from jaxmpi_lint.interpreter.file_accesses import FileAccess
from jaxmpi_lint.interpreter.own_paths import fault_of
from jaxmpi_lint.interpreter.path_parts import Parts
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind
from jaxmpi_lint.library.python.file_operations import Effect
from jaxmpi_lint.library.python.process_values import Variation

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import ProcessView as Process
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_MAKES = frozenset({Effect.WRITES, Effect.APPENDS, Effect.MAKES})


def is_absent(rank: Rank, path: Value) -> bool:
    """Whether a path that the rank asks for is a new one of its own, and only another rank has made its like."""
    accesses = rank.world.accesses
    if not isinstance(path, Symbol) or not path.own or path.is_guess or path_parts.has_other_values(path):
        return False
    wanted = path_parts.parts(path)
    own = dict(path_parts.origins(wanted))
    is_new = bool(own) and all(
        one is Variation.ALWAYS and path_parts.maker(symbol) == rank.number for symbol, one in own.items()
    )
    is_handed = any((rank.number, symbol) in accesses.handed for symbol in own)
    if not is_new or is_handed or accesses.is_unknown or path_parts.is_folder_with_name(wanted):
        return False
    mine = (one for one in accesses.named if one.rank == rank.number and one.effect in _MAKES)
    if any(_covers(path_parts.parts(one.path), one.effect, wanted) for one in mine):
        return False
    other = _like_it(rank, path_parts.alike(wanted))
    if other is None:
        return False
    asked = accesses.access(rank, "exists", Effect.READS, path, tolerant=True)
    accesses.sought.append((asked, other))
    return True


def _covers(made: Parts, effect: Effect, wanted: Parts) -> bool:
    """Whether making a path makes what is wanted, or something below it, or may fill a folder above it."""
    is_below = made[: len(wanted)] == wanted
    return is_below or (effect is not Effect.MAKES and wanted[: len(made)] == made)


def _like_it(rank: Rank, wanted: Parts) -> FileAccess | None:
    others = (one for one in rank.world.accesses.named if one.rank != rank.number and one.effect in _MAKES)
    return next((one for one in others if path_parts.alike(path_parts.parts(one.path)) == wanted), None)


def fault(world: World) -> Fault | None:
    """A rank that ends with an exception since it has not found such a file."""
    for process in world.processes if is_of_several(world) else ():
        found = _decisive(world, process)
        if found is not None:
            asked, other = found
            own = dict(path_parts.origins(path_parts.parts(asked.path)))
            detail = f"rank {asked.rank} looks for a file that only rank {other.rank} {other.effect}"
            return replace(fault_of(world, asked, other, own, detail), kind=Kind.SOUGHT_PATH)
    return None


def _decisive(world: World, process: Process) -> tuple[FileAccess, FileAccess] | None:
    """The last search of a rank, if the exception that ends the rank follows its test."""
    error, turns = process.error, process.rank.turns
    if error is None or not process.has_failed or not error.value.fields.get("*explicit") or not turns:
        return None
    last = turns[-1]
    for asked, other in reversed(world.accesses.sought):
        start, end = asked.place.span
        if asked.rank == process.rank.number and asked.place.module is last.module:
            return (asked, other) if last.span[0] <= start and end <= last.span[1] else None
    return None
