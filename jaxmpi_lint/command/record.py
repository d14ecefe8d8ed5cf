"""Recording of findings instead of showing them: in a baseline, or as comments in the source."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from jaxmpi_lint.command import baseline, report_builder
from jaxmpi_lint.command.report_builder import Project
from jaxmpi_lint.engine.fix_loop import reparsed
from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.reporters.report import plural
from jaxmpi_lint.rewrite import apply_edits, noqa_comments
from jaxmpi_lint.settings.settings import Settings

BASELINE = ".jaxmpi-lint-baseline.json"


def write_baseline(projects: Sequence[Project]) -> int:
    """Write all findings of each project to its baseline; projects with the same baseline share the file."""
    found: dict[Path, list[tuple[Diagnostic, str]]] = {}
    for project in projects:
        settings = project.engine.settings
        visible = report_builder.wanted(project.outcome.diagnostics, settings)
        texts, _ = report_builder.texts_of(project.engine, project.outcome, visible)
        found.setdefault(settings.baseline or settings.root / BASELINE, []).extend(
            (project.anchored(diagnostic), texts.get(diagnostic.filename, "")) for diagnostic in visible
        )
    for path, findings in found.items():
        baseline.write(path, findings)
        if not all(project.engine.settings.quiet for project in projects):
            print(f"{path}: {plural(len(findings), 'finding')} recorded; use --baseline {path}", file=sys.stderr)
    return 0


def add_noqa(projects: Sequence[Project], settings: Settings) -> int:
    """Add a suppression comment to every line with a shown finding; with ``--diff`` only print the changes."""
    changed = 0
    for project in projects:
        by_file: dict[str, list[Diagnostic]] = {}
        for diagnostic in report_builder.repairable(project, project.outcome):
            by_file.setdefault(diagnostic.filename, []).append(diagnostic)
        for filename, diagnostics in by_file.items():
            path = project.outcome.paths[filename]
            if path in project.engine.request.overrides and not settings.diff:
                raise UserError("--add-noqa cannot change standard input; give the file itself")
            content = _annotated(project, path, diagnostics)
            if content is None:
                continue
            changed += 1
            if settings.diff:
                sys.stdout.write(project.difference(path, filename, content))
            else:
                apply_edits.write(path, content)
    if not settings.quiet:
        print(f"{plural(changed, 'file')} {'would be changed' if settings.diff else 'changed'}", file=sys.stderr)
    return int(settings.diff and changed > 0 and not settings.exit_zero)


def _annotated(project: Project, path: str, diagnostics: Sequence[Diagnostic]) -> bytes | None:
    """The new content of a file; None if it stays as it is."""
    source = project.engine.source(path)
    text = None if source is None else noqa_comments.add_noqa(source, diagnostics)
    if source is None or text is None or text == source.text:
        return None
    return reparsed(project.engine, path, source.encode(text))
