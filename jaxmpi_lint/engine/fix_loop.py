"""``--fix``: repair, lint again, and so on until nothing is left to repair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from jaxmpi_lint.engine.engine import Engine
from jaxmpi_lint.engine.outcome import Outcome
from jaxmpi_lint.engine.parser_pool import Job, parse_one
from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.rewrite import apply_edits
from jaxmpi_lint.sources import decode
from jaxmpi_lint.sources.lexical_scan import line_starts

ROUNDS = 10  # a repair may make another one possible; more than this many in a row undo each other


@dataclass(slots=True)
class Repaired:
    """The findings left, the new content of files by path, and how many repairs were made."""

    outcome: Outcome
    contents: dict[str, bytes] = field(default_factory=dict)
    count: int = 0
    notes: list[str] = field(default_factory=list)


def repair(
    engine: Engine, outcome: Outcome, unsafe: bool, chosen: Callable[[Outcome], Sequence[Diagnostic]]
) -> Repaired:
    """Repair the findings that are chosen; nothing is written yet.

    A file whose repaired text can no longer be parsed keeps the text it had.
    """
    result = Repaired(outcome)
    refused: set[str] = set()
    for _ in range(ROUNDS):
        candidates = [d for d in chosen(result.outcome) if d.filename not in refused]
        planned = apply_edits.plan(candidates, unsafe)
        if not planned:
            break
        for filename, group in _by_file(planned).items():
            path = result.outcome.paths[filename]
            try:
                result.contents[path] = _repaired(engine, path, result.contents.get(path), group)
                result.count += len(group)
            except UserError as error:
                refused.add(filename)
                result.notes.append(str(error))
        result.outcome = engine.analyse(result.contents)
    return result


def _by_file(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    groups: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault(diagnostic.filename, []).append(diagnostic)
    return groups


def _repaired(engine: Engine, path: str, changed: bytes | None, group: Sequence[Diagnostic]) -> bytes:
    """The new content of one file; a user's error if it could not be written or not be parsed again."""
    before = engine.source(path) if changed is None else decode.load(path, changed)
    if before is None:
        raise UserError(f"{path}: not repaired, it can no longer be read; run again")
    return reparsed(engine, path, before.encode(_applied(before, group)))


def reparsed(engine: Engine, path: str, data: bytes) -> bytes:
    """The new content of a file, once it was seen to be Python."""
    name, is_package = engine.module_name(path)
    if parse_one(Job(path, name, is_package, data), ()).parsed is None:
        raise UserError(f"{path}: not changed, the result would not be valid Python; please report this")
    return data


def _applied(before: decode.Source, group: Sequence[Diagnostic]) -> str:
    """The text after all fixes; the last cell of a notebook first, so that the rows of the others stay right."""
    text = before.text
    starts = line_starts(text)
    rows = (1,) if before.notebook is None else before.notebook.first_rows
    cells: dict[int, list[Diagnostic]] = {}
    for diagnostic in group:
        cells.setdefault(diagnostic.cell or 1, []).append(diagnostic)
    for cell in sorted(cells, reverse=True):
        text = apply_edits.apply(text, starts[rows[cell - 1] - 1 :], cells[cell])
    return text


def write(contents: Mapping[str, bytes]) -> None:
    """Write what was repaired, each file in one step."""
    for path, data in contents.items():
        apply_edits.write(path, data)
