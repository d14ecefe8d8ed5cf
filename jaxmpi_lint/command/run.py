"""One run of the command: lint every project, fix or record if requested, report."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from jaxmpi_lint.command import report_builder, requests
from jaxmpi_lint.command.progress import Bar
from jaxmpi_lint.command.report_builder import Project
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.findings.diagnostics import Diagnostic, Severity
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.reporters import render, wants_color
from jaxmpi_lint.reporters.report import Report, plural
from jaxmpi_lint.settings.settings import Settings

_FOR_PEOPLE = ("full", "concise")


def run(given: argparse.Namespace) -> int:
    """Execute the command line."""
    wanted = requests.requests(given)
    if given.show_settings:
        print("\n\n".join("\n".join(report_builder.settings_lines(request.settings)) for request in wanted))
        return 0
    settings = wanted[0].settings
    bar = Bar()
    try:
        engines = _engines(given, wanted, bar)
        projects = [Project(engine, engine.lint()) for engine in engines]
    finally:
        bar.close()
    failures = [failure for project in projects for failure in project.outcome.failures]
    if given.write_baseline is None and not given.add_noqa:
        status = _present(projects, settings, any(request.overrides for request in wanted))
    elif not failures:  # recorded findings count as known, so the record must be complete
        from jaxmpi_lint.command import record

        if given.write_baseline is not None:
            return record.write_baseline(projects)
        return record.add_noqa(projects, settings)
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    return 2 if failures else status


def _present(projects: list[Project], settings: Settings, stdin: bool) -> int:
    """Show the findings, or the changes that fixes would make."""
    if settings.diff:
        return _diff(projects, settings)
    if settings.fix:
        projects = [_fixed(project, stdin) for project in projects]
    report, remarks = report_builder.report(projects, settings)
    _tell(projects, settings)
    for remark in remarks if not settings.quiet else ():
        print(remark, file=sys.stderr)
    _show(report, settings, sys.stderr if stdin and settings.fix else sys.stdout)
    if not report.files and not settings.quiet:
        print("warning: no Python files found; check the paths and the setting `exclude`", file=sys.stderr)
    return _status(report.diagnostics, settings)


def _engines(given: argparse.Namespace, wanted: Sequence[Request], bar: Bar) -> list[Engine]:
    """One engine for each project, nested projects included."""
    engines: list[Engine] = []
    pending = list(wanted)
    for request in pending:
        engine = Engine(request, bar)
        engines.append(engine)
        known = {str(other.settings.root) for other in pending}
        pending += [requests.nested(given, request, path) for path in engine.nested() if str(path) not in known]
    return engines


def _status(diagnostics: Sequence[Diagnostic], settings: Settings) -> int:
    bad = any(diagnostic.severity is not Severity.INFO for diagnostic in diagnostics)
    return int(bad and not settings.exit_zero)


def _fixed(project: Project, stdin: bool) -> Project:
    from jaxmpi_lint.engine import fix_loop

    engine = project.engine
    repaired = fix_loop.repair(
        engine,
        project.outcome,
        engine.settings.unsafe_fixes,
        lambda outcome: report_builder.repairable(project, outcome),
    )
    for note in repaired.notes:
        print(f"warning: {note}", file=sys.stderr)
    if stdin:
        path = str(engine.request.given[0])
        sys.stdout.flush()
        sys.stdout.buffer.write(repaired.contents.get(path, engine.request.overrides[path]))
        sys.stdout.flush()
    else:
        fix_loop.write(repaired.contents)
    return Project(engine, repaired.outcome, repaired.count)


def _diff(projects: Sequence[Project], settings: Settings) -> int:
    """Print the changes that ``--fix`` would make."""
    from jaxmpi_lint.engine import fix_loop

    changed = 0
    for project in projects:
        engine = project.engine
        repaired = fix_loop.repair(
            engine,
            project.outcome,
            engine.settings.unsafe_fixes,
            lambda outcome, project=project: report_builder.repairable(project, outcome),  # type: ignore[misc]
        )
        names = {path: name for name, path in repaired.outcome.paths.items()}
        for path, data in sorted(repaired.contents.items()):
            sys.stdout.write(project.difference(path, names[path], data))
            changed += 1
    if not settings.quiet:
        print(f"{plural(changed, 'file')} would be changed", file=sys.stderr)
    return int(changed > 0 and not settings.exit_zero)


def _tell(projects: Sequence[Project], settings: Settings) -> None:
    for project in projects:
        for warning in project.outcome.warnings:
            print(f"warning: {warning}", file=sys.stderr)
        for note in project.outcome.notes if settings.verbose else ():
            print(note, file=sys.stderr)
    fixed = sum(project.fixed for project in projects)
    if fixed and not settings.quiet:
        print(f"{plural(fixed, 'repair')} made", file=sys.stderr)


def _show(report: Report, settings: Settings, stream: TextIO) -> None:
    form = settings.output_format
    if settings.statistics:
        form = "statistics" if form in _FOR_PEOPLE else "statistics-json"
    if settings.output_file is None:
        render(form, report, stream, form == "full" and wants_color(stream))
    else:
        _write(settings.output_file, form, report)
    if settings.output_format not in _FOR_PEOPLE and not settings.quiet:
        print(report.closing(), file=sys.stderr)


def _write(path: Path, form: str, report: Report) -> None:
    buffer = io.StringIO()
    render(form, report, buffer, False)
    try:
        path.write_text(buffer.getvalue(), encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(f"--output-file {path}: cannot be written ({error.strerror}); give a different file") from None
