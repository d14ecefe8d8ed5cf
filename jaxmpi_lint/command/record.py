"""Recording of findings instead of showing them: in a baseline, or as comments in the source."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from jaxmpi_lint.command import baseline, report_builder
from jaxmpi_lint.command.report_builder import Project
from jaxmpi_lint.engine.fix_loop import reparsed
from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.reporters.report import plural
from jaxmpi_lint.rewrite import apply_edits, noqa_comments

BASELINE = ".jaxmpi-lint-baseline.json"


def write_baseline(projects: Sequence[Project]) -> int:
    """Write all findings of each project to its baseline."""
    for project in projects:
        settings = project.engine.settings
        path = settings.baseline or settings.root / BASELINE
        visible = report_builder.wanted(project.outcome.diagnostics, settings)
        texts, _ = report_builder.texts_of(project.engine, project.outcome, visible)
        named = [(diagnostic, project.anchored(diagnostic)) for diagnostic in visible]
        anchored_texts = {own.filename: texts.get(diagnostic.filename, "") for diagnostic, own in named}
        baseline.write(path, [own for _, own in named], anchored_texts)
        if not settings.quiet:
            print(f"{path}: {plural(len(visible), 'finding')} recorded; use --baseline {path}", file=sys.stderr)
    return 0


def add_noqa(projects: Sequence[Project]) -> int:
    """Add a suppression comment to every line with a shown finding."""
    changed = 0
    for project in projects:
        by_file: dict[str, list[Diagnostic]] = {}
        for diagnostic in report_builder.repairable(project, project.outcome):
            by_file.setdefault(diagnostic.filename, []).append(diagnostic)
        for filename, diagnostics in by_file.items():
            changed += _annotate(project, filename, diagnostics)
    if not all(project.engine.settings.quiet for project in projects):
        print(f"{plural(changed, 'file')} changed", file=sys.stderr)
    return 0


def _annotate(project: Project, filename: str, diagnostics: Sequence[Diagnostic]) -> int:
    path = project.outcome.paths[filename]
    if path in project.engine.request.overrides:
        raise UserError("--add-noqa cannot change standard input; give the file itself")
    source = project.engine.source(path)
    text = None if source is None else noqa_comments.add_noqa(source, diagnostics)
    if source is None or text is None or text == source.text:
        return 0
    apply_edits.write(path, reparsed(project.engine, path, source.encode(text)))
    return 1
