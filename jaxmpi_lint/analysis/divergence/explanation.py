"""Stages of a branch for a trace: facts about its test, and the communication of each side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet, repeats
from jaxmpi_lint.analysis.divergence.branch_sides import BranchSides
from jaxmpi_lint.analysis.divergence.exemptions import MATTERING
from jaxmpi_lint.analysis.divergence.words import shown, spelled, words
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.trace import Evidence, Stage, Subject
from jaxmpi_lint.analysis.uniformity.unknowns import unknown_parts
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.branch_sides import FunctionEvents
    from jaxmpi_lint.analysis.divergence.candidates import Candidate
    from jaxmpi_lint.analysis.divergence.event_languages import Side
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Uniformity
    from jaxmpi_lint.analysis.lattice.trace import Trace

_LEVELS = {
    Level.UNIFORM: "equal on all processes",
    Level.RANK: "depends on the rank",
    Level.ORDER: "depends on an order that differs between processes; rules JM801 to JM803 report this",
    Level.LOCAL: "depends on data that each process received or computed itself",
    Level.UNKNOWN: "unknown whether it differs between processes",
}
_SOURCES = {
    Source.CLOCK: "the clock",
    Source.FILES: "files visible to each process",
    Source.LISTING: "the order of a file listing",
    Source.RANDOM: "random numbers without a common seed",
    Source.MACHINE: "the host or the process number",
    Source.CACHE: "the contents of a cache",
    Source.SHARE: "the part of the data that a collective returned to this process",
    Source.ELEMENT: "the element of the data that the rank selects",
}


def record_others(function_events: FunctionEvents, trace: Trace) -> None:
    """Record the branches that are no candidates, because the test is equal on all processes or unknown."""
    function = function_events.function
    for block, branch, value in function.branches():
        subject = Subject.of(function, branch.span)
        tested = deciding_facet(branch, value)
        if tested.level not in MATTERING and trace.follows(subject):
            sides = BranchSides.of_test(function_events, block.index, branch, tested).with_all_events()
            meeting = function.graph.immediate_postdominator(block.index)
            trace.record(subject, [_test_stage(function, block.index, branch, tested)])
            trace.record(subject, _side_stages(function, branch, sides, meeting))
            trace.record(subject, [Stage("result", f"silent: {_reason(tested.level)}")])


def stages(candidate: Candidate) -> Iterator[Stage]:
    """The facts about a candidate before any exemption is tested."""
    function, branch = candidate.function, candidate.branch
    yield _test_stage(function, candidate.block, branch, candidate.test)
    yield from _side_stages(function, branch, candidate.sides, candidate.meeting)
    ignored = [event for event in candidate.side_events if candidate.sides.relevant(event) is None]
    if ignored:
        told = tuple(Evidence(spelled(event, function.module), _place(function, event)) for event in ignored)
        yield Stage("not compared", "on communicators whose processes the test does not divide", told)


def _test_stage(function: Function, block: int, branch: ir.Branch, test: Uniformity) -> Stage:
    outcome = _LEVELS[test.level]
    if test.source is not None and test.level is Level.LOCAL:
        outcome = f"depends on {_SOURCES[test.source]}"
    if test.groups:
        outcome += f" (divides the processes of {', '.join(sorted(map(group_name, test.groups)))})"
    return Stage("test", outcome, tuple(_reasons(function, block, branch, test)))


def _reasons(function: Function, block: int, branch: ir.Branch, test: Uniformity) -> Iterator[Evidence]:
    if test.reason is not None:
        for link in test.reason.chain():
            yield Evidence(link.message, Place(link.module, link.span))
    if test.level is Level.UNKNOWN:
        tested = branch.test.iterable if isinstance(branch.test, ir.Element) else branch.test
        for seen, span in unknown_parts(function, block, tested):
            yield Evidence(seen, Place(function.module, span))


def _reason(level: Level) -> str:
    if level is Level.UNIFORM:
        return "all processes take the same side"
    if level is Level.ORDER:
        return "the rules about branches do not cover orders"
    return "a test whose uniformity is unknown is not reported"


def group_name(group: str) -> str:
    """A group of processes, as shown to the reader."""
    return " or ".join(map(_one_group, group.split(" | ")))


def _one_group(group: str) -> str:
    """One group, named after the origin of its communicator: ``FILE:FUNCTION:PARAMETER``, ``FILE@OFFSET``."""
    name = group.replace("\\", "/").rpartition("/")[2]
    _, _, rest = name.partition(":")
    function, colon, parameter = rest.rpartition(":")
    if colon:
        return f"`{parameter}` of `{function}`"
    if "@" in name:
        return f"a communicator created in {name.partition('@')[0]}"
    return name.removeprefix("mpi4py.")


def _side_stages(function: Function, branch: ir.Branch, sides: BranchSides, meeting: int) -> Iterator[Stage]:
    names = ("if it iterates", "if it ends") if repeats(branch) else ("if it holds", "if it does not hold")
    for name, side in zip(names, sides.pair(meeting), strict=True):
        yield _side_stage(name, function, side)


def _side_stage(name: str, function: Function, side: Side) -> Stage:
    found, more = words(side)
    if not found:
        return Stage(name, "this side never reaches the point where the sides meet")
    texts = list(dict.fromkeys(shown(word, function.module) for word in found))
    if more:
        texts.append("...")
    return Stage(name, texts[0], tuple(Evidence(f"or {text}") for text in texts[1:]))


def _place(function: Function, event: Event) -> Place:
    return Place(function.module, event.span)
