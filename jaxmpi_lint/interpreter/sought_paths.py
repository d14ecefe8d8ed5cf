"""Files that a rank looks for under its separate path, and that only a different rank has made, under its path.

The first one does not find them. If it raises an exception then, or would otherwise read the file, the program does not
work with several ranks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import path_parts
from jaxmpi_lint.interpreter.communication import is_of_several
from jaxmpi_lint.interpreter.events import Place
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
    made = (one for one in accesses.named if one.effect in _MAKES)
    if any(_covers(path_parts.parts(one.path), one.effect, wanted) for one in made):
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
    """A rank that ends with an exception since it has not found such a file, or leaves it out."""
    for process in world.processes if is_of_several(world) else ():
        found = _decisive(world, process) or _left_out(world, process)
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


def _left_out(world: World, process: Process) -> tuple[FileAccess, FileAccess] | None:
    """The first search of a rank that ends well, if it reads the file where the search finds it."""
    if process.error is not None or not world.accesses.sought:
        return None
    tests = {(turn.module.path, turn.span): turn.branch for turn in process.rank.turns if turn.branch is not None}
    for asked, other in world.accesses.sought:
        for (path, (start, end)), branch in tests.items():
            first, last = asked.place.span
            is_test = path == asked.place.module.path and start <= first and last <= end
            if asked.rank == process.rank.number and is_test and _reads(asked.place, branch):
                return asked, other
    return None


def _reads(asked: Place, branch: ir.Branch) -> bool:
    """Whether the text of a branch reads the file that its test looks for."""
    text = asked.module.text
    looked_for = _ARGUMENT.search(text[slice(*asked.span)])
    if looked_for is None:
        return False
    name = re.escape(looked_for.group("argument") or looked_for.group("owner"))
    is_negated = re.search(r"\bnot\b", text[slice(*branch.span)]) is not None
    body = text[branch.span[1] : branch.extent[1] + (_NEXT_LINES if is_negated else 0)]
    return re.search(rf"\b(?:{_READERS})\(\s*{name}\b(?!.*[\"'][wax])|\b{name}\.read_", body) is not None


_ARGUMENT = re.compile(r"exists\((?P<argument>[\w.]+)\)|(?P<owner>[\w.]+)\.(?:exists|is_file)\(\)")
_NEXT_LINES = 200
"""Characters after ``if not path.exists(): continue`` in which the file is read."""

_READERS = r"open|load\w*|read\w*|fromfile|genfromtxt|File"
"""Functions that read files, by their usual names."""
