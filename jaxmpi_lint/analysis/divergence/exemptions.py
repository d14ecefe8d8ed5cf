"""Exemptions: why a branch that processes take differently is not reported, in the order in which they apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet, without_not
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.configuration_choices import choices, choices_of_call
from jaxmpi_lint.analysis.conditions.guards import guards_of_all_ways
from jaxmpi_lint.analysis.conditions.passes import compensated_elsewhere, is_made_even, rounds_to_world_size
from jaxmpi_lint.analysis.conditions.world_sizes import may_part
from jaxmpi_lint.analysis.divergence.branch_exemptions import OF_THE_BRANCH
from jaxmpi_lint.analysis.divergence.candidates import Candidate, is_settled
from jaxmpi_lint.analysis.divergence.certain_failures import fails_first
from jaxmpi_lint.analysis.divergence.combined_answers import combined_answer
from jaxmpi_lint.analysis.divergence.even_shares import ends_evenly, evened
from jaxmpi_lint.analysis.divergence.no_difference import NO_DIFFERENCE
from jaxmpi_lint.analysis.divergence.rank_by_rank import all_ranks_agree
from jaxmpi_lint.analysis.divergence.settings_before import set_before
from jaxmpi_lint.analysis.divergence.turns_of_ranks import turn_of_each
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.lattice import SizeOf
from jaxmpi_lint.analysis.lattice.shape_queries import OWN_LENGTH
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption
from jaxmpi_lint.analysis.participation.cached_reads import CachedReads
from jaxmpi_lint.analysis.participation.command_loops import RoleLoops
from jaxmpi_lint.analysis.uniformity.narrowing import is_single_rank
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Event

MATTERING = frozenset({Level.RANK, Level.LOCAL})
"""The levels of tests that processes may decide differently."""


# --- of the comparison of both sides; they apply where the sides differ ---


def _asked_again(candidate: Candidate) -> Evidence | None:
    difference = candidate.difference
    if candidate.test.level is not Level.LOCAL or difference is None:
        return None
    events = (*difference.left, *difference.right, *difference.left_next, *difference.right_next)
    again = candidate.later.asked_again(candidate.meeting, candidate.test, events)
    if again is None:
        return None
    return Evidence("the same data is tested here too", Place(candidate.function.module, again.span))


def _settled_before(candidate: Candidate) -> Evidence | None:
    if not is_settled(candidate):
        return None
    return candidate.at_branch("given the outcomes of the tests that control this branch, its test has one outcome")


def _is_unconfirmed(candidate: Candidate) -> bool:
    return not candidate.is_presumed


def _made_up_by_correlated(candidate: Candidate) -> Evidence | None:
    if not _is_unconfirmed(candidate) or candidate.difference_to_the_end is not None:
        return None
    later = min(candidate.correlated)
    terminator = candidate.function.ir.blocks[later].terminator
    return Evidence(
        "the outcome of this later branch follows from this one", Place(candidate.function.module, terminator.span)
    )


def _impossible_path(candidate: Candidate) -> Evidence | None:
    if not _is_unconfirmed(candidate) or candidate.has_possible_path:
        return None
    return candidate.at_branch("every path that differs requires two outcomes of one test")


def _made_up_by_earlier(candidate: Candidate) -> Evidence | None:
    if not _is_unconfirmed(candidate) or not candidate.is_covered:
        return None
    return candidate.at_branch("the outcome of this branch follows from that of an earlier branch")


def _overruled(candidate: Candidate) -> Evidence | None:
    stored = not isinstance(without_not(candidate.branch.test), ir.BooleanOperation)
    if not candidate.test.overruled or not stored:
        return None
    event = _guarded_event(candidate)
    return None if event is None else candidate.at_event(event, "this call depends on a different test as well")


def _guarded_event(candidate: Candidate) -> Event | None:
    """An event that a different test guards as well: that test may make all processes agree."""
    assert candidate.difference is not None
    start = candidate.branch.when_true if candidate.difference.left else candidate.branch.when_false
    for event in candidate.description.shown:
        if event.trail or not candidate.function.graph.always_passes(start, event.block):
            return event
    return None


def _same_rank_by_rank(candidate: Candidate) -> Evidence | None:
    if candidate.test.level is not Level.RANK or not all_ranks_agree(candidate):
        return None
    return candidate.at_branch("with 2, 3 and 4 processes, the tests of the rank give every rank the same calls")


UNCONFIRMED: tuple[Exemption[Candidate], ...] = (
    Exemption(
        "made-up-by-later-test",
        "A later branch with the same outcome compensates for the difference before the function ends.",
        _made_up_by_correlated,
    ),
    Exemption(
        "impossible-path",
        "The sides differ only on infeasible paths, on which a repeated test would have two outcomes.",
        _impossible_path,
    ),
    Exemption(
        "made-up-by-earlier-test",
        "An earlier branch with the same outcome has a difference for which this branch may compensate.",
        _made_up_by_earlier,
    ),
)
OF_THE_COMPARISON: tuple[Exemption[Candidate], ...] = (
    Exemption(
        "asked-again",
        "A different test of the same local data guards such calls too, and may compensate for the difference.",
        _asked_again,
    ),
    Exemption(
        "combined-answer",
        "The next test, of the combined answers of all ranks, ends the loop or the function as well.",
        combined_answer,
    ),
    Exemption("settled-before", "Earlier tests determine the outcome of the branch.", _settled_before),
    *UNCONFIRMED,
    Exemption(
        "same-rank-by-rank",
        "Several tests of the rank together give every rank of a small group the same calls.",
        _same_rank_by_rank,
    ),
    Exemption(
        "turns-of-ranks",
        "The branch is the turn of a rank in a loop over all ranks, each of which makes the calls of its turn once.",
        turn_of_each,
    ),
    Exemption(
        "overruled-by-other-test",
        "The test is part of a larger one that may make all processes agree, and a different test guards the call.",
        _overruled,
    ),
)


# --- of the call that would be reported ---


def _expected_failure(candidate: Candidate) -> Evidence | None:
    event = candidate.description.shown[0]
    if not is_expected_to_fail(candidate.function.ir, event.span):
        return None
    return candidate.at_event(event, "this call lies in a block that expects an exception")


def _read_before(candidate: Candidate) -> Evidence | None:
    event, module = candidate.description.shown[0], candidate.function.module
    site = candidate.function.project.get(CachedReads).by_others([Place(module, event.span), *event.trail])
    return None if site is None else Evidence("the value may be cached here", Place(site.caller.module, site.span))


def _event_of_loop(candidate: Candidate) -> Event | None:
    return candidate.description.event if candidate.description.kind == "loop" else None


def _made_up_by_other_loop(candidate: Candidate) -> Evidence | None:
    event = _event_of_loop(candidate)
    if event is None or not compensated_elsewhere(candidate.function, event):
        return None
    return candidate.at_event(event, "a different loop in the file makes the calls that this loop omits")


def _evenly_divided(candidate: Candidate) -> Evidence | None:
    event = _event_of_loop(candidate)
    if event is None and candidate.test.tells(OWN_LENGTH):
        event = candidate.description.event
    if event is None:
        return None
    function, test = candidate.function, candidate.branch.test
    of_data = isinstance(test, ir.Element) and is_made_even(function, candidate.block, test.iterable)
    if not of_data and not rounds_to_world_size(function):
        return None
    return candidate.at_event(event, "the function or its module tests, truncates or pads the remainder")


def _made_even(candidate: Candidate) -> Evidence | None:
    if _event_of_loop(candidate) is not None:
        found = evened(candidate.function, candidate.block, candidate.branch)
    else:
        found = ends_evenly(candidate.function, candidate.branch)
    return None if found is None else Evidence(found.what, Place(candidate.function.module, found.span))


OF_THE_CALL: tuple[Exemption[Candidate], ...] = (
    Exemption("expected-failure", "The call lies in a test that expects an exception.", _expected_failure),
    Exemption(
        "cached-value",
        "The call computes a cached property, or fills a field once; a different place that no differing test guards "
        "reads it as well.",
        _read_before,
    ),
    Exemption(
        "made-up-by-other-loop",
        "The trip counts of several loops of the file add up to the same number on each rank.",
        _made_up_by_other_loop,
        ("JM108",),
    ),
    Exemption(
        "evenly-divided",
        "The function or its module handles the remainder of a division by the number of processes.",
        _evenly_divided,
    ),
    Exemption(
        "share-made-even",
        "The local data is truncated to an equal length, or a counter ends the loop.",
        _made_even,
        ("JM102", "JM108", "JM601"),
    ),
)


# --- of the place in the program ---


def _single_process(candidate: Candidate) -> Evidence | None:
    if may_part(candidate.function, candidate.block, candidate.branch.test):
        return None
    return candidate.at_branch(
        "with each number of processes for which this branch is reached, all processes have the same outcome"
    )


def _single_rank(candidate: Candidate) -> Evidence | None:
    """A loop on one side of a test for a single rank, which is compared with what the other ranks do on their side."""
    event, function = candidate.divergence.event, candidate.function
    if candidate.description.kind != "loop" or event.communicator is None:
        return None
    for guard in guards_of_all_ways(function, candidate.block):
        env = function.flow.environment_before(guard.block, None)
        if is_single_rank(function.evaluator, guard.branch.test, guard.truth, env, event.communicator.groups):
            what = "only one rank of the communicator reaches the loop"
            return Evidence(what, Place(function.module, guard.branch.test.span))
    return None


def _agreed_when_communicating(candidate: Candidate) -> Evidence | None:
    """The test has one outcome on all processes under the settings with which they communicate at all.

    After ``if parallel: wanted = comm.bcast(wanted)``, the value differs only if the program is not parallel.
    """
    event, function = candidate.divergence.event, candidate.function
    chosen = choices(function, event.block) | choices_of_call(function, event.span)
    if not chosen:
        return None
    test = function.run_where(chosen).flow.tests.get(candidate.block)
    if test is not None and deciding_facet(candidate.branch, test).level in MATTERING:
        return None
    settings = ", ".join(sorted(f"`{tested}`" for tested, _, _ in chosen))
    return candidate.at_event(event, f"this call depends on {settings}, which is equal on all processes")


def _part_of_one(candidate: Candidate) -> Evidence | None:
    """A part of the processes may have one member only, where a test on one of the sides asks how many there are."""
    event, function, graph = candidate.divergence.event, candidate.function, candidate.function.graph
    if candidate.test.level is not Level.RANK or event.communicator is None or not event.communicator.ancestors:
        return None
    sides = [graph.reachable(start) for start in (candidate.branch.when_true, candidate.branch.when_false)]
    for block, branch, _ in function.branches():
        if branch.kind in ("for", "comprehension") or sum(block.index in side for side in sides) != 1:
            continue
        env = function.flow.environment_before(block.index, None)
        entities = [function.value(part, env).entity for part in ir.walk(branch.test)]
        if any(isinstance(one, SizeOf) and one.communicator.groups & event.communicator.ancestors for one in entities):
            return Evidence("this number of processes may give each part one", Place(function.module, branch.test.span))
    return None


def _divided_by_the_test(candidate: Candidate) -> Evidence | None:
    """Those that leave a loop also leave the communicator: the loop splits it by its own test."""
    function, (start, end) = candidate.function, candidate.branch.extent
    if candidate.branch.kind != "while":
        return None
    tested = {node.id for node in ir.walk(candidate.branch.test) if isinstance(node, ir.Name)}
    for bound in function.operation_calls:
        colour = bound.argument("color") if bound.known_operation.method == "Split" else None
        inside = start <= bound.call.span[0] and bound.call.span[1] <= end
        if (
            inside
            and colour is not None
            and tested & {node.id for node in ir.walk(colour) if isinstance(node, ir.Name)}
        ):
            return Evidence("this call divides the processes by the test", Place(function.module, bound.call.span))
    return None


OF_THE_PLACE: tuple[Exemption[Candidate], ...] = (
    Exemption(
        "fails-first",
        "The side that makes the call fails before it: a name is unbound there, or a variable is None.",
        fails_first,
    ),
    Exemption(
        "single-process",
        "The branch is reached only with numbers of processes for which all processes have the same outcome.",
        _single_process,
    ),
    Exemption(
        "single-rank",
        "The loop is on the side of a test that one rank takes; that side is compared with the side of the others.",
        _single_rank,
        ("JM108",),
    ),
    Exemption(
        "part-of-one",
        "A side asks for the number of all processes, which may be such that the communicator has one process.",
        _part_of_one,
    ),
    Exemption(
        "divided-by-the-test",
        "The loop splits its communicator by its own test, so that those that leave it leave the communicator too.",
        _divided_by_the_test,
    ),
    Exemption(
        "agreed-when-communicating",
        "Under the settings with which the call is made at all, the test is equal on all processes.",
        _agreed_when_communicating,
    ),
    Exemption(
        "setting-before",
        "The function assigns a setting before the branch with which the called functions skip the call.",
        set_before,
    ),
)


def _later_reported(candidate: Candidate) -> Evidence | None:
    later = candidate.correlated & candidate.scope.reported
    if not later:
        return None
    terminator = candidate.function.ir.blocks[min(later)].terminator
    return Evidence("this later branch is reported", Place(candidate.function.module, terminator.span))


OF_POSTPONED: tuple[Exemption[Candidate], ...] = (
    Exemption(
        "later-branch-reported",
        "A later branch with the same outcome compensates for the difference, then differs itself, and is reported.",
        _later_reported,
    ),
)


# --- of the program ---


def _in_role_loop(candidate: Candidate) -> Evidence | None:
    divergence = candidate.divergence
    if not divergence.in_role_loop:
        return None
    return candidate.at_event(divergence.event, "this call is repeated in a loop in which one role waits for commands")


def _awaited(candidate: Candidate) -> Evidence | None:
    event, function = candidate.divergence.event, candidate.function
    paths = {function.module.path, *(place.module.path for place in event.trail)}
    if event.communicator is not None:
        paths.add(event.communicator.home)  # a class that splits the processes into roles often has the loops as well
    loops = function.project.get(RoleLoops)
    if not any(event.label[0] in loops.operations(path) for path in paths):
        return None
    return candidate.at_event(event, "a loop in which one role waits for commands makes such a call")


OF_THE_PROGRAM: tuple[Exemption[Candidate], ...] = (
    Exemption("role-loop", "The call is repeated in a loop in which one role waits for commands.", _in_role_loop),
    Exemption(
        "awaited-by-role-loop",
        "A loop in which one role waits for commands makes the matching call.",
        _awaited,
    ),
)


EXEMPTIONS: tuple[Exemption[Candidate], ...] = (
    *OF_THE_BRANCH,
    *NO_DIFFERENCE,
    *OF_THE_COMPARISON,
    *OF_THE_CALL,
    *OF_THE_PLACE,
    *OF_POSTPONED,
    *OF_THE_PROGRAM,
)
"""All exemptions, in the order in which they apply."""
