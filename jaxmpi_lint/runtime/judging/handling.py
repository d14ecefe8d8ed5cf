"""Ranks that communicate while they handle an exception: in a handler, a `finally` or the exit of a context manager."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings.finding import Finding, Handled, Side
from jaxmpi_lint.runtime.judging.stacks import Stack
from jaxmpi_lint.runtime.settings.ownership import is_library

_REMEDY = (
    "Let all ranks learn of the exception before their next collective (such as `failed = comm.allreduce(failed, "
    "op=MPI.MAX)`), or end the job with `comm.Abort()` where it is handled. Communication in a handler, in `finally` "
    "or at the exit of a context manager is reached by the failed rank alone."
)


def explained(finding: Finding, stacks: Mapping[int, Sequence[Stack]]) -> Finding:
    """The finding, with the exceptions that ranks handle in their calls if not all sides handle the same.

    ``stacks`` are those of the ranks while they are in their calls.
    """
    handled = [_of(side, stacks) for side in finding.sides]
    if len({one and (one.exception, one.site.spot) for one in handled}) < 2 and len(handled) != 1:
        return finding
    if not any(handled):
        return finding
    sides = tuple(replace(side, handled=one) for side, one in zip(finding.sides, handled, strict=True))
    return replace(finding, sides=sides, remedy=finding.remedy or _REMEDY)


def _of(side: Side, stacks: Mapping[int, Sequence[Stack]]) -> Handled | None:
    """The exception that the first of the ranks with one handles around the call of this side."""
    if side.site is None:
        return None
    here = (side.site.file, side.site.line)
    for rank in side.ranks:
        for stack in stacks.get(rank, ()):
            if stack.handled and any((frame.file, frame.line) == here for frame in stack.frames):
                name, lines = stack.handled
                own = next((line for line in lines if not is_library(line.file)), lines[0])
                return Handled(name, own)
    return None
