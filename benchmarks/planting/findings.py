"""Whether the linter finds a planted defect: its new findings at the changed functions."""

from __future__ import annotations

import ast
import difflib
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import processes

from planting.defects import Defect
from planting.graph import MODULE

_IGNORED = shutil.ignore_patterns(".git", "*.ipynb")
Finding = Mapping[str, Any]


_NOTE = "interpreter: "  # begins the lines of --verbose that say what the interpreter did not follow


class NotLinted(Exception):
    """The linter failed or ran out of time."""


@dataclass(frozen=True)
class Linted:
    """The findings in a folder, and what the interpreter did not follow there."""

    findings: Sequence[Finding]
    notes: tuple[str, ...] = ()


@dataclass
class Copies:
    """Copies of trees, one changed file at a time, and the findings of the unchanged ones by folder."""

    folder: Path
    limit: float
    known: dict[Path, Linted] = field(default_factory=dict)

    def lint(self, source: Path, defect: Defect) -> tuple[Linted, Linted]:
        """The findings without and with a defect; file names are relative to the tree."""
        copy = self._copy(source)
        part = defect.part
        if copy / part not in self.known:
            self.known[copy / part] = run(copy, part, self.limit)
        changed = copy / defect.file
        try:
            changed.write_bytes(defect.after.encode())
            return self.known[copy / part], run(copy, part, self.limit)
        finally:
            changed.write_bytes(defect.before.encode())

    def _copy(self, source: Path) -> Path:
        copy = self.folder / source.name
        if not copy.exists():
            shutil.copytree(source, copy, ignore=_IGNORED, symlinks=True, ignore_dangling_symlinks=True)
            (copy / ".git").mkdir()  # the root of a project, as its users have it
        return copy


def run(tree: Path, part: str, limit: float) -> Linted:
    """The findings in a part of a tree, at default settings."""
    command = [*processes.linter(), "--no-cache", "--verbose", "--output-format", "json", part]
    done = processes.run(command, limit, str(tree))
    if done.stopped or done.status not in (0, 1):
        last = done.err.strip().rpartition("\n")[2]
        raise NotLinted(f"not finished after {limit:g} s" if done.stopped else f"exit status {done.status}: {last}")
    notes = (line.removeprefix(_NOTE) for line in done.err.splitlines() if line.startswith(_NOTE))
    return Linted([_relative(one, tree) for one in json.loads(done.out)], tuple(notes))


def _relative(finding: dict[str, Any], tree: Path) -> Finding:
    related = [{**one, "filename": _name(one["filename"], tree)} for one in finding["related"]]
    return {**finding, "filename": _name(finding["filename"], tree), "related": related}


def _name(text: str, tree: Path) -> str:
    path = Path(text)
    return path.relative_to(tree).as_posix() if path.is_absolute() and path.is_relative_to(tree) else path.as_posix()


def new(before: Sequence[Finding], after: Sequence[Finding], defect: Defect) -> list[Finding]:
    """The findings that only the changed tree has; rows of the changed file are those of equal lines."""
    rows = _equal_rows(defect.before, defect.after)
    old: Counter[tuple[str, str, int]] = Counter()
    for one in before:
        row = _row(one)
        own = one["filename"] == defect.file
        old[one["filename"], one["code"], rows.get(row, 0) if own else row] += 1
    found = []
    for one in after:
        key = (one["filename"], one["code"], _row(one))
        inside = one["filename"] == defect.file and _row(one) not in rows.values()
        if inside:
            key = (key[0], key[1], 0)
        if old[key]:
            old[key] -= 1
        else:
            found.append(one)
    return found


def _row(finding: Finding) -> int:
    return int(finding["location"]["row"])


def _equal_rows(before: str, after: str) -> dict[int, int]:
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return {
        old + offset + 1: fresh + offset + 1
        for old, fresh, size in matcher.get_matching_blocks()
        for offset in range(size)
    }


def about(found: Sequence[Finding], defect: Defect) -> list[Finding]:
    """The findings that lie in, or name a line of, the changed function, a helper or a function of the chain."""
    spans = list(_spans(defect))
    return [one for one in found if any(_inside(place, spans) for place in (one, *one["related"]))]


def _inside(place: Finding, spans: Sequence[tuple[str, int, int]]) -> bool:
    row = int(place["location"]["row"])
    return any(place["filename"] == file and first <= row <= last for file, first, last in spans)


def _spans(defect: Defect) -> Iterator[tuple[str, int, int]]:
    wanted = {defect.place[1], *defect.helpers, *(scope for file, scope in defect.chain if file == defect.file)}
    if MODULE in wanted:
        yield defect.file, 1, len(defect.after.splitlines())
    for scope, first, last in scopes(ast.parse(defect.after)):
        if scope in wanted:
            yield defect.file, first, last


def scopes(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, int, int]]:
    """The qualified names of functions and classes with their first and last rows."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}{child.name}"
            yield name, child.lineno, child.end_lineno or child.lineno
            yield from scopes(child, f"{name}.")
        else:
            yield from scopes(child, prefix)
