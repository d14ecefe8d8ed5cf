"""The ``junit`` format: a suite for each file, a failed test for each error or warning."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from jaxmpi_lint.findings.diagnostics import Diagnostic, Severity
from jaxmpi_lint.reporters.report import Report, place

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def junit(report: Report) -> str:
    """The XML document; a run without findings is one passed test, since an empty suite counts as failed."""
    suites = [_suite(filename, diagnostics) for filename, diagnostics in report.by_file()]
    if not suites:
        passed = f'    <testcase name="no findings" classname={_attribute("jaxmpi-lint")}/>\n'
        suites = [_suite_of("jaxmpi-lint", 1, 0, passed)]
    failures = sum(map(_fails, report.diagnostics))
    counts = _counts("jaxmpi-lint", len(report.diagnostics) or 1, failures)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites {counts}>\n{"".join(suites)}</testsuites>\n'


def _suite(filename: str, diagnostics: tuple[Diagnostic, ...]) -> str:
    failures = sum(map(_fails, diagnostics))
    return _suite_of(filename, len(diagnostics), failures, "".join(map(_case, diagnostics)))


def _suite_of(name: str, tests: int, failures: int, cases: str) -> str:
    return f"  <testsuite {_counts(name, tests, failures)}>\n{cases}  </testsuite>\n"


def _counts(name: str, tests: int, failures: int) -> str:
    return f'name={_attribute(name)} tests="{tests}" failures="{failures}" errors="0"'


def _case(diagnostic: Diagnostic) -> str:
    """A test; a finding of severity info passes and is printed by it."""
    where = place(diagnostic.filename, diagnostic.cell, diagnostic.start)
    steps = [f"{place(step.filename, step.cell, step.start)}: {step.message}" for step in diagnostic.related]
    text = "\n".join([f"{where}: {diagnostic.message}", *steps, *filter(None, [diagnostic.remedy])])
    name = _attribute(f"{diagnostic.code} {diagnostic.name} at {where}")
    head = f'    <testcase name={name} classname={_attribute(diagnostic.filename)} line="{diagnostic.start.row}">'
    if not _fails(diagnostic):
        return f"{head}<system-out>{escape(_legal(text))}</system-out></testcase>\n"
    kind = f"type={_attribute(diagnostic.severity.value)} message={_attribute(diagnostic.message)}"
    return f"{head}<failure {kind}>{escape(_legal(text))}</failure></testcase>\n"


def _fails(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is not Severity.INFO


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))


def _legal(text: str) -> str:
    """The text with characters that XML 1.0 does not allow (section 2.2, Char) replaced."""
    return "".join(character if _is_legal(ord(character)) else REPLACEMENT for character in text)


def _is_legal(point: int) -> bool:
    return point in (0x9, 0xA, 0xD) or 0x20 <= point <= 0xD7FF or 0xE000 <= point <= 0xFFFD or point >= 0x10000
