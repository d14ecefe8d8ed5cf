"""``--statistics``: the number of findings of each rule, the most frequent first."""

from __future__ import annotations

import json
from collections import Counter

from jaxmpi_lint.findings.diagnostics import Applicability, Diagnostic
from jaxmpi_lint.reporters.report import Report


def statistics(report: Report) -> str:
    """A line for each code: count, code, whether ``--fix`` fixes some (``[*]``), name."""
    rows = _counted(report)
    width = max((len(str(count)) for _, count in rows), default=0)
    repaired = {diagnostic.code for diagnostic in report.diagnostics if _is_safe(diagnostic)}
    lines = [f"{count:>{width}}  {code}  {'[*]' if code in repaired else '   '} {name}" for (code, name), count in rows]
    if not report.quiet:
        lines += [*filter(None, [report.tally()]), report.closing()]
    return "".join(f"{line}\n" for line in lines)


def statistics_json(report: Report) -> str:
    """The same as a list of objects."""
    return json.dumps([{"code": code, "name": name, "count": count} for (code, name), count in _counted(report)]) + "\n"


def _counted(report: Report) -> list[tuple[tuple[str, str], int]]:
    counts = Counter((diagnostic.code, diagnostic.name) for diagnostic in report.diagnostics)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _is_safe(diagnostic: Diagnostic) -> bool:
    return diagnostic.fix is not None and diagnostic.fix.applicability is Applicability.SAFE
