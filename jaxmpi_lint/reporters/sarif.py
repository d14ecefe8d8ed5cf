"""The ``sarif`` format: SARIF 2.1.0 with the story of each finding as a code flow, for code scanning services."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from jaxmpi_lint import __version__
from jaxmpi_lint.findings.diagnostics import Diagnostic, Fix, Severity
from jaxmpi_lint.findings.model import RuleInfo
from jaxmpi_lint.reporters.fingerprinting import fingerprinted
from jaxmpi_lint.reporters.report import Report
from jaxmpi_lint.reporters.sarif_places import ROOT, Artifacts, Value, region

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
FINGERPRINT = "jaxmpiLintContent/v2"


def sarif(report: Report) -> str:
    """The log file of one run."""
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}, indent=2) + "\n"


def _run(report: Report) -> Value:
    artifacts = Artifacts()
    rules = _rules(report)
    results = list(_results(report, artifacts, {rule.code: index for index, rule in enumerate(rules)}))
    return {
        "tool": {"driver": _driver(rules, report)},
        "invocations": [{"executionSuccessful": True}],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The directory in which jaxmpi-lint was run."}}},
        "artifacts": artifacts.values(),
        "results": results,
        "properties": {
            "files": report.files,
            "communicating": report.communicating,
            "notAnalysed": report.not_analysed,
            "repairsMade": report.fixed,
        },
    }


# --- rules ---------------------------------------------------------------------------------------------------------


def _driver(rules: list[RuleInfo], report: Report) -> Value:
    return {
        "name": "jaxmpi-lint",
        "version": __version__,
        "rules": [_descriptor(rule, report.url(rule.code)) for rule in rules],
    }


def _rules(report: Report) -> list[RuleInfo]:
    """The rules of the run, and descriptions of others, derived from the findings themselves."""
    rules = {rule.code: rule for rule in report.rules}
    for diagnostic in _diagnostics(report):
        if diagnostic.code not in rules:
            summary = diagnostic.name.replace("-", " ")
            rules[diagnostic.code] = RuleInfo(diagnostic.code, diagnostic.name, diagnostic.severity, summary)
    return [rules[code] for code in sorted(rules)]


def _descriptor(rule: RuleInfo, url: str | None) -> Value:
    page = rule.page or rule.summary
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.summary}."},
        "fullDescription": {"text": f"{rule.summary}."},
        **({"helpUri": url} if url is not None else {}),
        "help": {"text": _without_markup(page), "markdown": page},
        "defaultConfiguration": {"level": LEVELS[rule.severity], "enabled": not rule.preview},
        "properties": {
            "problem.severity": LEVELS[rule.severity].replace("note", "recommendation"),
            "tags": ["mpi", "jax"],
        },
    }


def _without_markup(page: str) -> str:
    """The page without heading marks and code fences."""
    return re.sub(r"(?m)^(#+ |```\w*\n?)", "", page).strip()


# --- results -------------------------------------------------------------------------------------------------------


def _diagnostics(report: Report) -> Iterator[Diagnostic]:
    yield from report.ordered
    yield from report.baselined
    yield from (suppressed.diagnostic for suppressed in report.suppressed)


def _results(report: Report, artifacts: Artifacts, indices: Mapping[str, int]) -> Iterator[Value]:
    """Shown, baselined and suppressed findings in file order, which also numbers those with equal content."""
    reasons = {id(suppressed.diagnostic): suppressed.reason for suppressed in report.suppressed}
    baselined = {id(diagnostic) for diagnostic in report.baselined}
    everything = sorted(_diagnostics(report), key=lambda diagnostic: diagnostic.sort_key)
    for diagnostic, identity in fingerprinted(everything, report):
        result = _result(diagnostic, artifacts, indices[diagnostic.code])
        result["partialFingerprints"] = {FINGERPRINT: identity}
        if report.baseline:
            result["baselineState"] = "unchanged" if id(diagnostic) in baselined else "new"
        if id(diagnostic) in baselined:
            result["suppressions"] = [{"kind": "external", "justification": "in the baseline"}]
        elif id(diagnostic) in reasons:
            reason = reasons[id(diagnostic)]
            result["suppressions"] = [{"kind": "inSource", **({"justification": reason} if reason else {})}]
        elif report.suppressed or report.baselined:
            result["suppressions"] = []
        yield result


def _result(diagnostic: Diagnostic, artifacts: Artifacts, index: int) -> Value:
    result: Value = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": LEVELS[diagnostic.severity],
        "message": {"text": _message(diagnostic)},
        "locations": [artifacts.finding(diagnostic)],
        "properties": {"confidence": diagnostic.confidence.value},
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, **artifacts.step(step)} for number, step in enumerate(diagnostic.related, 1)
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": list(_flow(diagnostic, artifacts))}]}]
    if diagnostic.fix is not None and diagnostic.fix.edits and diagnostic.cell is None:
        result["fixes"] = [_fix(diagnostic.fix, diagnostic.filename, artifacts)]
    return result


def _message(diagnostic: Diagnostic) -> str:
    """Problem and remedy; for a notebook also the position, which its region cannot express."""
    inside = f"Cell {diagnostic.cell}, line {diagnostic.start.row}: " if diagnostic.cell is not None else ""
    remedy = f"\n{diagnostic.remedy}" if diagnostic.remedy else ""
    return f"{inside}{diagnostic.message}{remedy}"


def _flow(diagnostic: Diagnostic, artifacts: Artifacts) -> Iterator[Value]:
    """The steps in order, with the finding itself inserted among them."""
    here = _story_place(diagnostic)
    told = any(_is_finding(diagnostic, index) for index in range(len(diagnostic.related)))
    steps = [(artifacts.step(step), _is_finding(diagnostic, index)) for index, step in enumerate(diagnostic.related)]
    if not told:
        steps.insert(here, ({**artifacts.finding(diagnostic), "message": {"text": diagnostic.message}}, True))
    for order, (location, essential) in enumerate(steps, 1):
        importance = "essential" if essential else "important"
        yield {"location": location, "executionOrder": order, "importance": importance}


def _is_finding(diagnostic: Diagnostic, index: int) -> bool:
    step = diagnostic.related[index]
    return (step.filename, step.cell, step.start) == (diagnostic.filename, diagnostic.cell, diagnostic.start)


def _story_place(diagnostic: Diagnostic) -> int:
    """The index of the finding among its steps: before the first that follows it in its file, otherwise at the end."""
    for index, step in enumerate(diagnostic.related):
        if (step.filename, step.cell) == (diagnostic.filename, diagnostic.cell) and step.start > diagnostic.start:
            return index
    return len(diagnostic.related)


def _fix(fix: Fix, filename: str, artifacts: Artifacts) -> Value:
    replacements = [
        {"deletedRegion": region(edit.start, edit.end), "insertedContent": {"text": edit.content}} for edit in fix.edits
    ]
    return {
        "description": {"text": fix.message},
        "artifactChanges": [{"artifactLocation": artifacts.location(filename), "replacements": replacements}],
        "properties": {"applicability": fix.applicability.value},
    }
