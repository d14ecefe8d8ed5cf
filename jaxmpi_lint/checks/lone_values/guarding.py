"""Whether every rank reaches a place: no test around it may leave out the ranks that lack a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionFlow, builtin_exception
from jaxmpi_lint.analysis.conditions.guards import guards, is_check
from jaxmpi_lint.analysis.conditions.one_rank import asks_for_program
from jaxmpi_lint.analysis.lattice.limits import LONE_VALUE_CALLERS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.participation.role_decorators import selects_ranks
from jaxmpi_lint.analysis.uniformity.narrowing import leaves_one
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.conditions.guards import Guard
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class Origin:
    """The block that decides which ranks have a value: by its test, or by a step."""

    block: int
    by_test: bool


def is_for_all(function: Function, block: int, name: str, origin: Origin | None = None) -> bool:
    """Whether all ranks reach a block.

    Not if a test around it differs between ranks, is of a role, or names the value. A test that is not known may be
    connected with the one that decides who has the value, unless that one is behind it.
    """
    if _is_behind_joined_tests(function, block):
        return False
    before = {guard.block for guard in guards(function, origin.block)} if origin is not None else set()
    return not any(
        _may_leave_out(guard, name, guard.block in before) or _leaves_one_process(function, guard)
        for guard in guards(function, block)
    )


def _is_behind_joined_tests(function: Function, block: int) -> bool:
    """Whether each way to a block passes one of several tests that differ between ranks, by the side that leads there.

    None of the tests in `if is_time(step, host=0) or warmup and rank == 0` must hold, so none of them is a guard.
    """
    graph = function.graph
    differing = [(one.index, branch) for one, branch, test in function.branches() if test.content.level.diverges]
    if len(differing) < 2:
        return False  # a single test is a guard
    for entered in (other.index for other in function.ir.blocks if block not in graph.reachable(0, other.index)):
        leading = {
            (test, start)
            for test, branch in differing
            if not graph.always_passes(test, entered)
            for start in (branch.when_true, branch.when_false)
            if graph.always_passes(start, entered)
        }
        if leading and not _is_reached_without(function, entered, leading):
            return True
    return False


def _is_reached_without(function: Function, block: int, edges: set[tuple[int, int]]) -> bool:
    seen, stack = {0}, [0]
    while stack:
        index = stack.pop()
        new = {target for target in function.graph.successors[index] if (index, target) not in edges} - seen
        seen |= new
        stack += new
    return block in seen


def is_for_role(function: Function, block: int, place: ir.Expression) -> bool:
    """Whether a test of the rank, of a role or of a place itself selects the ranks that reach a block."""
    return any(
        (_is_for_some(guard) and not _is_loop_over_share(guard) and not is_check(function, guard))
        or any(ir.dotted(node) == ir.dotted(place) is not None for node in ir.walk(guard.branch.test))
        for guard in guards(function, block)
    )


def _leaves_one_process(function: Function, guard: Guard) -> bool:
    env = function.flow.environment_before(guard.block, None)
    return leaves_one(function.evaluator, guard.branch.test, guard.truth, env)


def leaves_function(function: Function, block: int, *names: str) -> bool:
    """Whether exceptions that a block raises leave the function: no handler may continue instead."""
    if not function.ir.blocks[block].handlers:
        return True
    flow = function.get(ExceptionFlow)
    return all(flow.leaves(block, builtin_exception(name), lambda _: False) for name in names)


def is_of_role(function: Function) -> bool:
    """Whether a decorator or a test around a call selects the ranks that run a function, or one that it is in."""
    seen, ahead = {function.key}, [function]
    for _ in range(LONE_VALUE_CALLERS + 1):
        sites = [site for one in ahead for site in function.project.get(CallSites).of(one)]
        if any(map(selects_ranks, ahead)):
            return True
        around = [guard for site in sites for guard in guards(site.caller, site.block)]
        if any(_is_for_some(guard) and not _is_loop_over_share(guard) for guard in around):
            return True
        enclosing = [one.parent for one in ahead if one.parent is not None]
        found = {one.key: one for one in [*(site.caller for site in sites), *enclosing]}
        ahead = [one for key, one in found.items() if key not in seen]
        seen |= found.keys()
    return False


def _is_loop_over_share(guard: Guard) -> bool:
    """Whether a loop gives each rank its share of the work: it is of no rank in particular."""
    return guard.branch.kind == "for" and guard.test.content.level is Level.RANK


def is_bound_between(function: Function, name: str, origin: Origin | None, block: int) -> bool:
    """Whether a name is bound anew behind the place that decides who has its value, and before it is used."""
    if origin is None:
        return False
    graph, blocks = function.graph, function.ir.blocks
    start = graph.immediate_postdominator(origin.block) if origin.by_test else origin.block
    behind = graph.reachable(start) | ({start} if origin.by_test else set()) if start < len(blocks) else set()
    return any(
        other.index in behind
        and (block in graph.reachable(other.index) or block == other.index)
        and any(name in names_bound(step) for step in other.steps)
        for other in blocks
        if origin.by_test or other.index != origin.block
    )


def _is_for_some(guard: Guard) -> bool:
    return (guard.by_role or guard.test.content.level.diverges) and not asks_for_program(guard.branch.test)


def _may_leave_out(guard: Guard, name: str, is_before: bool) -> bool:
    if asks_for_program(guard.branch.test):
        return False
    if _is_for_some(guard):
        return True
    if is_before:
        return False
    if guard.test.content.level is not Level.UNIFORM:
        return not _is_loop_of_all(guard, name)
    return _names(guard.branch.test, name)


def _is_loop_of_all(guard: Guard, name: str) -> bool:
    """Whether a loop runs over what does not differ: that it may be empty leaves out no rank in particular."""
    if guard.branch.kind != "for" or not isinstance(guard.branch.test, ir.Element):
        return False
    return not guard.test.structure.level.diverges and not _names(guard.branch.test, name)


def _names(test: ir.Expression, name: str) -> bool:
    return any(ir.dotted(node) == name for node in ir.walk(test))
