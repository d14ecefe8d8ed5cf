"""Ranks that communicate while they handle an exception: in a handler, a `finally` or the exit of a context manager."""

from __future__ import annotations

from dataclasses import replace

from jaxmpi_lint.runtime.findings.finding import Finding

_REMEDY = (
    "Let all ranks learn of the exception before their next collective (such as `failed = comm.allreduce(failed, "
    "op=MPI.MAX)`), or end the job with `comm.Abort()` where it is handled. Communication in a handler, in `finally` "
    "or at the exit of a context manager is reached by the failed rank alone."
)


def explained(finding: Finding) -> Finding:
    """The finding, with the exceptions that ranks handle in their calls if not all sides handle the same."""
    handled = [side.site.handled if side.site is not None else None for side in finding.sides]
    if len({one and (one.exception, one.site.spot) for one in handled}) < 2 and len(handled) != 1:
        return finding
    if not any(handled):
        return finding
    sides = tuple(replace(side, handled=one) for side, one in zip(finding.sides, handled, strict=True))
    return replace(finding, sides=sides, remedy=finding.remedy or _REMEDY)
