"""Cache of the findings of an unchanged project between runs.

One JSON file holds the outcome of one run: it is valid as long as the same files exist with the same content;
everything else that determines findings is part of its file name. Reading it requires neither LibCST nor networkx nor
rich. A file counts as unchanged by time and size, unless it was written so shortly before the cache that a later change
could have kept both: then its content is compared.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxmpi_lint import __version__
from jaxmpi_lint.engine.outcome import Outcome
from jaxmpi_lint.findings.diagnostics import (
    Applicability,
    Confidence,
    Diagnostic,
    Edit,
    Fix,
    Position,
    Related,
    Severity,
)
from jaxmpi_lint.findings.model import RuleInfo, Suppressed
from jaxmpi_lint.settings.settings import DECISIVE, Settings
from jaxmpi_lint.sources.discovery import Entry, entry_of
from jaxmpi_lint.sources.files import LARGEST, digest, make_folder, replace_file

FRESH = 2_000_000_000  # nanoseconds within which a file's time proves nothing
KEPT = 32  # outcomes of other settings or other paths
_SITE = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Cache:
    """The outcome for one project, its settings and its reported files."""

    folder: Path
    key: str

    @property
    def path(self) -> Path:
        """The file of this outcome."""
        return self.folder / f"{self.key}.json"

    def load(self, entries: Mapping[str, Entry]) -> Outcome | None:
        """The outcome, if nothing has changed; an invalid cache file counts as absent."""
        try:
            document = json.loads(self.path.read_bytes())
            if not _unchanged(document["files"], entries, document["written"]):
                return None
            others = {path: entry_of(path) for path in document["plugins"]}
            if not _unchanged(document["plugins"], others, document["written"]):
                return None
            return _outcome(document["outcome"])
        except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            return None

    def store(self, entries: Mapping[str, Entry], digests: Mapping[str, str], outcome: Outcome) -> bool:
        """Store the outcome; False if the folder cannot be written."""
        document = {
            "written": time.time_ns(),
            "files": {path: [entry.modified, entry.size, digests.get(path)] for path, entry in entries.items()},
            "plugins": {path: _stamp(path) for path in _plugin_files()},
            "outcome": _plain(outcome),
        }
        try:
            make_folder(self.folder)
            replace_file(self.path, json.dumps(document, separators=(",", ":")).encode())
            self._prune()
        except OSError:
            return False
        return True

    def _prune(self) -> None:
        files = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in files[KEPT:]:
            path.unlink(missing_ok=True)


def key(settings: Settings, reported: Iterable[str], folder: str) -> str:
    """A digest of everything that determines the findings besides the project's files."""
    parts = [repr([getattr(settings, name) for name in DECISIVE]), *sorted(reported), folder, *_environment()]
    return digest("\n".join(parts).encode("utf-8", "surrogateescape"))


def environment() -> str:
    """A short digest of the tool, the interpreter and the installed packages."""
    return digest("\n".join(_environment()).encode("utf-8", "surrogateescape"))[:16]


def _environment() -> list[str]:
    """The tool itself, the interpreter, and the installed packages (among them LibCST and plugins)."""
    own = [
        f"{path}:{status.st_mtime_ns}:{status.st_size}" for path in sorted(_own_files()) for status in (path.stat(),)
    ]
    installed: list[str] = []
    for folder in sys.path:
        with suppress(OSError):
            names = sorted(n for n in os.listdir(folder or ".") if n.endswith((".dist-info", ".egg-info")))
            modified = os.stat(folder).st_mtime_ns if os.path.basename(folder) in _SITE else 0
            if names or modified:
                installed.append(f"{folder}:{modified}:{names}")
    return [__version__, sys.version, *own, *installed]


def _own_files() -> Iterator[Path]:
    """Every module of the linter; the sanitizer does not affect findings."""
    package = Path(__file__).parent.parent
    for folder, inner, names in os.walk(package):
        inner[:] = [name for name in inner if name not in ("runtime", "__pycache__")]
        yield from (Path(folder, name) for name in names if name.endswith(".py"))


def _plugin_files() -> list[str]:
    """The files of rules loaded by entry points in this run."""
    registry = sys.modules.get("jaxmpi_lint.rules.registry")
    if registry is None:
        return []
    modules = {rule.__module__ for rule in registry.load() if not rule.__module__.startswith("jaxmpi_lint.rules.")}
    files = (getattr(sys.modules.get(name), "__file__", None) for name in sorted(modules))
    return [file for file in files if file]


def _stamp(path: str) -> list[object]:
    entry = entry_of(path)
    return [entry.modified, entry.size, None if entry.problem else digest(Path(path).read_bytes())]


def _unchanged(known: dict[str, Any], entries: Mapping[str, Entry], written: int) -> bool:
    if known.keys() != entries.keys():
        return False
    return all(_same(entry, written, *known[path]) for path, entry in entries.items())


def _same(entry: Entry, written: int, modified: int, size: int, known_digest: str | None) -> bool:
    if known_digest is None:  # it could not be read; nothing changed if it still cannot
        return bool(entry.problem) or entry.size > LARGEST or not os.access(entry.path, os.R_OK)
    if entry.problem:
        return False
    if entry.modified == modified and entry.size == size and modified < written - FRESH:
        return True
    with open(entry.path, "rb") as file:
        return entry.size == size and digest(file.read()) == known_digest


# --- JSON ----------------------------------------------------------------------------------------------------------


def _plain(outcome: Outcome) -> dict[str, Any]:
    return {
        "diagnostics": [_plain_diagnostic(diagnostic) for diagnostic in outcome.diagnostics],
        "suppressed": [[_plain_diagnostic(item.diagnostic), item.reason] for item in outcome.suppressed],
        "paths": outcome.paths,
        "rules": [[r.code, r.name, r.severity, r.summary, r.page, r.preview, r.fix] for r in outcome.rules],
        "counts": [outcome.files, outcome.communicating, outcome.not_analysed],
        "warnings": outcome.warnings,
        "notes": outcome.notes,
    }


def _outcome(data: dict[str, Any]) -> Outcome:
    files, communicating, not_analysed = data["counts"]
    return Outcome(
        tuple(_diagnostic(item) for item in data["diagnostics"]),
        tuple(Suppressed(_diagnostic(item), reason) for item, reason in data["suppressed"]),
        {str(name): str(path) for name, path in data["paths"].items()},
        tuple(
            RuleInfo(code, name, Severity(severity), summary, page, preview, fix and Applicability(fix))
            for code, name, severity, summary, page, preview, fix in data["rules"]
        ),
        int(files),
        int(communicating),
        int(not_analysed),
        tuple(data["warnings"]),
        tuple(data["notes"]),
    )


def _plain_diagnostic(item: Diagnostic) -> dict[str, Any]:
    return {
        "code": item.code,
        "name": item.name,
        "severity": item.severity,
        "confidence": item.confidence,
        "message": item.message,
        "filename": item.filename,
        "start": _pair(item.start),
        "end": _pair(item.end),
        "cell": item.cell,
        "rows": item.rows,
        "related": [[step.filename, _pair(step.start), step.message, step.cell] for step in item.related],
        "remedy": item.remedy,
        "fix": None
        if item.fix is None
        else [
            item.fix.applicability,
            item.fix.message,
            [[_pair(edit.start), _pair(edit.end), edit.content] for edit in item.fix.edits],
        ],
        "table": item.table,
    }


def _diagnostic(data: dict[str, Any]) -> Diagnostic:
    fix = None
    if data["fix"] is not None:
        applicability, message, edits = data["fix"]
        made = tuple(Edit(Position(*start), Position(*end), content) for start, end, content in edits)
        fix = Fix(Applicability(applicability), message, made)
    return Diagnostic(
        data["code"],
        data["name"],
        Severity(data["severity"]),
        Confidence(data["confidence"]),
        data["message"],
        data["filename"],
        Position(*data["start"]),
        Position(*data["end"]),
        data["cell"],
        None if data["rows"] is None else (data["rows"][0], data["rows"][1]),
        tuple(Related(name, Position(*start), message, cell) for name, start, message, cell in data["related"]),
        data["remedy"],
        fix,
        tuple(tuple(row) for row in data["table"]),
    )


def _pair(position: Position) -> list[int]:
    return [position.row, position.column]
