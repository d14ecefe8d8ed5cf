"""``--fix``: fix and lint again until nothing is left to fix."""

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

ROUNDS = 10  # one fix may enable a different one; more rounds than this undo each other


@dataclass(slots=True)
class Repaired:
    """The remaining findings, the new content of files by path, and the number of fixes made."""

    outcome: Outcome
    contents: dict[str, bytes] = field(default_factory=dict)
    count: int = 0
    notes: list[str] = field(default_factory=list)


def repair(
    engine: Engine, outcome: Outcome, unsafe: bool, chosen: Callable[[Outcome], Sequence[Diagnostic]]
) -> Repaired:
    """Fix the chosen findings; nothing is written yet.

    A file whose fixed text can no longer be parsed keeps its previous text.
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
    """The new content of one file; raises UserError if it cannot be written or parsed again."""
    before = engine.source(path) if changed is None else decode.load(path, changed)
    if before is None:
        raise UserError(f"{path}: not fixed, it can no longer be read; run again")
    return reparsed(engine, path, before.encode(_applied(before, group)))


def reparsed(engine: Engine, path: str, data: bytes) -> bytes:
    """The new content of a file, after a check that it is Python."""
    name, is_package = engine.module_name(path)
    if parse_one(Job(path, name, is_package, data), ()).parsed is None:
        raise UserError(f"{path}: not changed, the result would not be valid Python; please report this")
    return data


def _applied(before: decode.Source, group: Sequence[Diagnostic]) -> str:
    """The text after all fixes; the last cell of a notebook first, so that the rows of the others remain valid."""
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
    """Write the fixed files, each atomically."""
    for path, data in contents.items():
        apply_edits.write(path, data)
