"""Findings as JSON, one object a line (``JAXMPI_SANITIZE_REPORT``)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from typing import Any

from jaxmpi_lint.runtime.findings import callers
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site


def as_object(finding: Finding, rule: str | None = None, job: str = "") -> dict[str, Any]:
    """A finding as a JSON object with fixed keys."""
    sites = [side.site for side in finding.sides]
    diverged = _diverged(finding)
    return {
        "kind": finding.entry.name,
        "code": finding.code,
        "severity": finding.severity,
        "ranks": list(finding.ranks),
        "message": finding.message,
        "communicator": finding.communicator or None,
        "locations": [
            location
            for side, frame, head in zip(finding.sides, callers.differing(sites), callers.heads(sites), strict=True)
            for location in _locations(side, frame, head, diverged)
        ],
        "rule": rule,
        "notes": list(finding.notes),
        "remedy": finding.help,
        "job": job,
        "time": round(time.time() - time.monotonic() + finding.when, 6) if finding.when else None,
    }


def _diverged(finding: Finding) -> dict[int, dict[str, Any]]:
    """Where the calls of ranks have been shifted since an earlier collective: its number, and the first difference."""
    divergence = finding.past.divergence if finding.past is not None else None
    if divergence is None:
        return {}
    differing = callers.differing([side.site for side in divergence.sides])
    return {
        side.ranks[0]: {"collective": divergence.ordinal, **_line(callers.frames(side.site)[at])}
        for side, at in zip(divergence.sides, differing, strict=True)
    }


def _line(site: Site) -> dict[str, Any]:
    return {"file": site.file, "line": site.line, "function": site.function}


def _locations(
    side: Side, differs_in: int, begins_with: int, diverged: Mapping[int, dict[str, Any]]
) -> Iterable[dict[str, Any]]:
    """One location for each rank; ``differs_in`` and ``begins_with``: 0 for the line itself, n for the nth caller."""
    if side.site is None and not side.call:
        return  # it was outside MPI
    site = side.site or Site("", 0, "")
    for rank in side.ranks:
        yield {
            "rank": rank,
            "file": site.file or None,
            "line": site.line or None,
            "function": site.function or None,
            "callers": [_line(frame) for frame in callers.frames(side.site)[1:]],
            "differs_in": differs_in,
            "begins_with": begins_with,
            "diverged": diverged.get(rank),
            "handles": None
            if side.handled is None
            else {"exception": side.handled.exception, **_line(side.handled.site)},
            "operand": site.operand or None,
            "operation": side.call or None,
            "remark": side.remark or None,
        }


def append(path: str, objects: Iterable[dict[str, Any]]) -> str | None:
    """Append lines to a file, each in one write so that several jobs may share it; the reason on failure."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        return error.strerror or str(error)
    try:
        for one in objects:
            os.write(descriptor, (json.dumps(one, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace"))
    except OSError as error:
        return error.strerror or str(error)
    finally:
        os.close(descriptor)
    return None
