"""MPI calls that the program makes while JAX traces a function: they are repeated only on ranks that retrace it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging.stacks import Stack
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.settings.ownership import is_library, is_part_of

_TRACER = ("jax._src.interpreters.partial_eval", "trace_to_jaxpr")


def notes(finding: Finding, stacks: Mapping[int, Sequence[Stack]]) -> Iterator[str]:
    """One note for each side of the finding whose call is made by a function that is being traced.

    ``stacks`` are those of the ranks while they are in their calls.
    """
    for side in finding.sides:
        traced = [rank for rank in side.ranks if any(_traced(side, stack) for stack in stacks.get(rank, ()))]
        if not traced:
            continue
        function = next(found for stack in stacks[traced[0]] if (found := _traced(side, stack)))
        call = side.call.partition("(")[0].rpartition(" ")[2] or "this call"
        makes = wording.verb(traced, "makes", "make")
        where = f"`{function.function}` ({excerpt.short(function.file)}:{function.line})"
        yield (
            f"{wording.ranks(traced)} {makes} {call} while JAX traces {where}: the compiled function does not contain "
            "it, so it is repeated only on ranks that retrace"
        )


def _traced(side: Side, stack: Stack) -> Site | None:
    """The innermost function being traced around the call of this side; None if there is none."""
    here = side.site
    frames = iter(stack.frames)
    if here is None or not any((frame.file, frame.line) == (here.file, here.line) for frame in frames):
        return None
    function = here
    for frame in frames:
        if is_part_of(frame.file, _TRACER[0]) and frame.function.rpartition(".")[2].startswith(_TRACER[1]):
            return function
        if not is_library(frame.file):
            function = frame
    return None
