"""Application of fixes: compatible fixes, their effect on a text, the diff, and writing the file."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain, pairwise, takewhile

from jaxmpi_lint.findings.diagnostics import Applicability, Diagnostic, Edit, Position
from jaxmpi_lint.findings.errors import UserError

Place = tuple[str, int | None]


def plan(diagnostics: Iterable[Diagnostic], unsafe: bool) -> list[Diagnostic]:
    """The findings whose fixes can be applied in one pass; in a conflict, the first in file order is applied.

    A fix is applied as a whole or not at all. A fix that touches text changed by a different fix waits for the next
    round; identical whole lines inserted at the same place by two fixes (an import) are one edit.
    """
    wanted = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    planned: list[Diagnostic] = []
    taken: dict[Place, list[Edit]] = {}
    made: set[tuple[Place, Edit]] = set()
    for diagnostic in sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key):
        fix = diagnostic.fix
        if fix is None or not fix.edits or fix.applicability not in wanted:
            continue
        place = (diagnostic.filename, diagnostic.cell)
        edits = taken.setdefault(place, [])
        new = [edit for edit in _distinct(fix.edits) if not (_mergeable(edit) and (place, edit) in made)]
        if _consistent(new) and not any(_conflicts(edit, edits) for edit in new):
            planned.append(diagnostic)
            made.update((place, edit) for edit in new)
            for edit in new:
                insort(edits, edit, key=_order)
    return planned


def apply(text: str, line_starts: Sequence[int], diagnostics: Iterable[Diagnostic]) -> str:
    """The text after the fixes of planned findings; ``line_starts`` are the offsets of its rows.

    All findings are of this text: those of a notebook are applied to one cell at a time.
    """
    edits = _distinct(edit for diagnostic in diagnostics if diagnostic.fix is not None for edit in diagnostic.fix.edits)
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits, key=_order):
        start, end = _offset(edit.start, line_starts, text), _offset(edit.end, line_starts, text)
        pieces += [text[done:start], edit.content]
        done = end
    return "".join([*pieces, text[done:]])


def unified_diff(path: str, before: str, after: str) -> str:
    """The difference in the format of ``diff -u`` and ``patch``; empty if there is none."""
    import difflib

    difference = difflib.unified_diff(_lines(before), _lines(after), path, path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in difference)


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace the content of a file atomically, keeping its mode and, where permitted, its owner.

    A link stays a link: its target is written. Other processes see either the old or the new content, never a part.
    """
    target = os.path.realpath(path)
    try:
        _replace(target, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"{os.fspath(path)}: cannot write: {reason}; make the file and its folder writable") from error


def _replace(target: str, data: bytes) -> None:
    import tempfile

    old = os.stat(target) if os.path.lexists(target) else None
    if old is not None:
        if not stat.S_ISREG(old.st_mode):
            raise OSError(None, "not a regular file")
        if not os.access(target, os.W_OK):
            raise PermissionError(None, "the file is read-only")
    descriptor, temporary = tempfile.mkstemp(prefix=".jaxmpi-lint-", dir=os.path.dirname(target))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        _take_over(temporary, old)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _take_over(temporary: str, old: os.stat_result | None) -> None:
    """Set the owner and mode of a new file to those of the file that it replaces, otherwise to the defaults."""
    if old is None:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        return
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    os.chmod(temporary, stat.S_IMODE(old.st_mode))


def _mergeable(edit: Edit) -> bool:
    """Whether applying the edit once has the effect of both: not so for a bracket that two fixes open at one place."""
    whole_lines = edit.start.column == 1 and edit.content.endswith(("\n", "\r"))
    return edit.start != edit.end or whole_lines


def _distinct(edits: Iterable[Edit]) -> list[Edit]:
    """The edits without duplicates of those that are applied only once."""
    distinct: dict[object, Edit] = {}
    for index, edit in enumerate(edits):
        distinct.setdefault(edit if _mergeable(edit) else index, edit)
    return list(distinct.values())


def _consistent(edits: Iterable[Edit]) -> bool:
    """Whether the edits of one fix are disjoint; they may be adjacent."""
    ordered = sorted(edits, key=_order)
    return all(one.end <= other.start for one, other in pairwise(ordered))


def _conflicts(edit: Edit, taken: Sequence[Edit]) -> bool:
    """Whether an edit overlaps any of the others, which are sorted and disjoint."""
    index = bisect_left(taken, _order(edit), key=_order)
    before = takewhile(lambda other: other.end >= edit.start, (taken[i] for i in range(index - 1, -1, -1)))
    after = takewhile(lambda other: other.start <= edit.end, (taken[i] for i in range(index, len(taken))))
    return any(_conflict(edit, other) for other in chain(before, after))


def _conflict(one: Edit, other: Edit) -> bool:
    """Whether two edits overlap; an insertion also conflicts with an edit that begins or ends at its place."""
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end


def _order(edit: Edit) -> tuple[Position, Position]:
    return (edit.start, edit.end)


def _offset(position: Position, line_starts: Sequence[int], text: str) -> int:
    """The offset of a position; the position after the last row is the end of the text."""
    if position.row == len(line_starts) + 1 and position.column == 1:
        return len(text)
    return line_starts[position.row - 1] + position.column - 1


def _lines(text: str) -> list[str]:
    """The lines with their ends; as in ``patch``, only LF ends a line."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
