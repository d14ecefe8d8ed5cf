"""Exemptions of the branch itself, whatever its sides do."""

from __future__ import annotations

from jaxmpi_lint.analysis.conditions.names_with_ranks import compares_names_with_rank
from jaxmpi_lint.analysis.divergence.barriers import barrier_before
from jaxmpi_lint.analysis.divergence.candidates import Candidate
from jaxmpi_lint.analysis.divergence.ending_sides import ends_program
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption
from jaxmpi_lint.analysis.uniformity.generator_consumers import GeneratorConsumers
from jaxmpi_lint.library.levels import Level, Source


def side_name(truth: bool) -> str:
    """The text for one side of a branch."""
    return "the side where the test holds" if truth else "the side where the test does not hold"


def _declared_uniform(candidate: Candidate) -> Evidence | None:
    if not candidate.function.module_model.is_declared_uniform(candidate.branch.span):
        return None
    return candidate.at_branch("a comment `# jaxmpi-lint: uniform` marks a value that the test reads")


def _compares_names(candidate: Candidate) -> Evidence | None:
    if candidate.test.level is not Level.RANK:
        return None
    if not compares_names_with_rank(candidate.function, candidate.block, candidate.branch.test):
        return None
    return candidate.at_branch("the texts on both sides of the comparison are made with the rank")


def _side_ends(candidate: Candidate) -> Evidence | None:
    targets = candidate.function.graph.successors[candidate.block]
    for truth, start in ((True, candidate.branch.when_true), (False, candidate.branch.when_false)):
        if start not in targets:
            return candidate.at_branch(f"{side_name(truth)} always raises, exits or aborts")
    return None


def _input_check(candidate: Candidate) -> Evidence | None:
    if candidate.test.source is not Source.FILES:
        return None
    for truth, start in ((True, candidate.branch.when_true), (False, candidate.branch.when_false)):
        if ends_program(candidate.scope.function_events, start):
            return candidate.at_branch(f"{side_name(truth)} ends the program")
    return None


def _consumes_generator(candidate: Candidate) -> Evidence | None:
    function = candidate.function
    consumers = function.get(GeneratorConsumers)
    if candidate.block not in consumers.loops.values():
        return None
    for bound in function.calls():
        entity = bound.callee.entity
        if consumers.loop_of(bound) != candidate.block or not isinstance(entity, FunctionReference):
            continue
        if function.project.summaries.function_may_communicate(entity.key):
            return candidate.at_branch("the generator communicates itself, perhaps once after its last item")
    return None


def _behind_barrier(candidate: Candidate) -> Evidence | None:
    if candidate.test.source is not Source.FILES:
        return None
    barrier = barrier_before(candidate)
    return None if barrier is None else candidate.at_event(barrier, "all ranks pass this call before they look")


OF_THE_BRANCH: tuple[Exemption[Candidate], ...] = (
    Exemption("declared-uniform", "A comment declares the test to be equal on all processes.", _declared_uniform),
    Exemption(
        "names-with-the-rank",
        "The test asks whether two texts are the same that both have the rank in them, such as names of files.",
        _compares_names,
    ),
    Exemption(
        "side-ends",
        "One side always raises an exception, exits or aborts, so there is nothing to compare the other side with.",
        _side_ends,
    ),
    Exemption(
        "consumed-generator",
        "The loop takes the items of a generator that communicates: every rank may reach its end once.",
        _consumes_generator,
    ),
    Exemption(
        "input-check",
        "The test depends on files and one side ends the program, as in a validation of input files.",
        _input_check,
        ("JM109",),
    ),
    Exemption(
        "behind-a-barrier",
        "All ranks look for a file once, after a collective that all of them pass.",
        _behind_barrier,
        ("JM109",),
    ),
)
