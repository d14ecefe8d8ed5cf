"""Compares what a job reported with what its program's marks say."""

from __future__ import annotations

from .cases import Clean, Fault, expected_places
from .harness import Result


def complaints_about_leaving(result: Result) -> list[str]:
    """What no job may do, whatever came of it."""
    complaints = []
    if result.hung:
        complaints.append("the job hung")
    if result.held_up > 6:
        complaints.append(f"its output stayed open for {result.held_up:.1f} s after the launcher's end")
    if result.left_files:
        complaints.append(f"left in shared memory: {', '.join(result.left_files)}")
    if result.left_processes:
        complaints.append(f"still running: {result.left_processes}")
    return complaints


def _places(fault: Fault, result: Result, ranks: int) -> list[str]:
    expected = expected_places(fault.text, ranks)
    complaints = []
    for code, places in expected.items():
        findings = [finding for finding in result.findings if finding.code in (code, *fault.codes)]
        if not findings:
            complaints.append(f"no {code}, but {sorted(result.codes) or 'nothing'}")
            continue
        seen = {
            (place.rank, place.line)
            for finding in findings
            for place in finding.places
            if place.file is not None and place.file.endswith("program.py") and place.line is not None
        }
        in_part = all(finding.code in fault.in_part for finding in findings)
        if (missing := sorted(places - seen)) and not (in_part and places & seen):
            complaints.append(f"{code} does not name (rank, line) {missing}; it names {sorted(seen)}")
        wrong = {place for finding in findings if finding.code == code for place in finding.places}
        if extra := sorted({(place.rank, place.line) for place in wrong if place.line is not None} - places):
            complaints.append(f"{code} names (rank, line) {extra}, which is not at fault")
    return complaints


def complaints_about_fault(fault: Fault, result: Result, ranks: int) -> list[str]:
    """What is wrong with the report on a wrong program; nothing if all is well."""
    complaints = complaints_about_leaving(result) + _places(fault, result, ranks)
    allowed = {*expected_places(fault.text, ranks), *fault.codes, "JS000"}
    if surplus := sorted(result.codes - allowed):
        complaints.append(f"also reported: {surplus}")
    if result.status not in (statuses := {fault.status, *((*fault.launcher, 66) if fault.launcher else ())}):
        complaints.append(f"exit {result.status}, expected {' or '.join(map(str, sorted(statuses)))}")
    return complaints


def complaints_about_clean(case: Clean, result: Result) -> list[str]:
    """What is wrong with the silence about a correct program."""
    complaints = complaints_about_leaving(result)
    if surplus := [
        f"{finding.code}: {finding.message}" for finding in result.findings if finding.code not in case.notes
    ]:
        complaints.append(f"reported: {surplus}")
    if result.status != case.status:
        complaints.append(f"exit {result.status}, expected {case.status}")
    if not any("checking" in line for line in result.said):
        complaints.append("the sanitizer was not active")
    if doubts := [line for line in result.said if "NOT CHECKING" in line]:
        complaints.append(f"not active: {doubts}")
    return complaints
