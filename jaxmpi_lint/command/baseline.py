"""Baseline: known findings that are not shown, in a file that is written once, reviewed, and shrinks.

The file is JSON, sorted by file name and code, one group of lines per finding, so that its changes can be reviewed.
A fingerprint in it covers the message of the release that wrote it. A finding matches an entry if its statement and the
entry's message together have the entry's fingerprint: old baselines stay valid when messages are reworded.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.reporters import fingerprints

VERSION = 1


@dataclass(slots=True)
class Baseline:
    """The number of times that each finding is known. Each look-up uses one up: with two equal findings known, a third
    is new.

    ``left`` counts by fingerprint; ``messages`` holds the messages of the entries by file name and code.
    """

    left: Counter[str] = field(default_factory=Counter)
    messages: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def known(self, diagnostic: Diagnostic, text: str) -> bool:
        """Whether the baseline has the finding; ``text`` is the analysed text of its file."""
        file, code = fingerprints.filename(diagnostic), diagnostic.code
        statement = fingerprints.statement(diagnostic, text)
        for message in (diagnostic.message, *self.messages.get((file, code), ())):
            name = fingerprints.with_message(code, file, message, statement)
            if self.left[name] > 0:
                self.left[name] -= 1
                return True
        return False

    @property
    def gone(self) -> int:
        """The number of baseline entries that were not used: after a run over all files, those that are fixed."""
        return sum(self.left.values())

    def remark(self) -> str | None:
        """The remedy for entries that are gone, if there are any."""
        if not self.gone:
            return None
        entries = "1 entry of the baseline is" if self.gone == 1 else f"{self.gone} entries of the baseline are"
        return f"{entries} gone; rewrite it with --write-baseline"


def load(path: str | Path) -> Baseline:
    """Read a baseline; raises UserError if it cannot be read or is not a baseline."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"{path}: cannot read the baseline: {reason}; write it with --write-baseline") from None
    except UnicodeDecodeError:
        raise _broken(path, "not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise _broken(f"{path}:{error.lineno}:{error.colno}", error.msg) from None
    except (RecursionError, ValueError):
        raise _broken(path, "its JSON is too large or too deeply nested") from None
    return _read(path, content)


def write(path: str | Path, findings: Iterable[tuple[Diagnostic, str]]) -> None:
    """Write findings to a baseline atomically, each given with the analysed text of its file."""
    from jaxmpi_lint.rewrite import apply_edits

    counts: Counter[tuple[str, str, str, str]] = Counter()
    for diagnostic, text in findings:
        file, code, message = fingerprints.filename(diagnostic), diagnostic.code, diagnostic.message
        name = fingerprints.with_message(code, file, message, fingerprints.statement(diagnostic, text))
        counts[(file, code, message, name)] += 1
    content = {"version": VERSION, "findings": _merged(counts)}
    apply_edits.write(str(path), (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def _merged(counts: Counter[tuple[str, str, str, str]]) -> list[dict[str, Any]]:
    """One entry for each fingerprint: messages that differ in line numbers only are the same finding."""
    entries: dict[str, dict[str, Any]] = {}
    for (filename, code, message, name), count in sorted(counts.items()):
        if name in entries:
            entries[name]["count"] += count
        else:
            entries[name] = {
                "filename": filename,
                "code": code,
                "message": message,
                "count": count,
                "fingerprint": name,
            }
    return list(entries.values())


def _read(path: str | Path, content: object) -> Baseline:
    if not isinstance(content, dict) or not isinstance(content.get("findings"), list):
        raise _broken(path, "no list `findings`")
    if content.get("version") != VERSION:
        raise _broken(path, f"version {content.get('version')!r}, but this release reads version {VERSION}")
    baseline = Baseline()
    for number, entry in enumerate(content["findings"], 1):
        name = entry.get("fingerprint") if isinstance(entry, dict) else None
        count = entry.get("count", 1) if isinstance(entry, dict) else None
        if not isinstance(name, str) or isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise _broken(path, f"finding {number} lacks a fingerprint or a count of at least 1")
        baseline.left[name] += count
        place = (str(entry.get("filename")), str(entry.get("code")))
        messages = baseline.messages.setdefault(place, [])
        if str(entry.get("message")) not in messages:
            messages.append(str(entry.get("message")))
    return baseline


def _broken(place: str | Path, reason: str) -> UserError:
    return UserError(f"{place}: broken baseline: {reason}; restore it or rewrite it with --write-baseline")
