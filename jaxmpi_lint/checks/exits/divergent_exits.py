"""Places where one role exits by an exception while the others enter a collective."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet, without_not
from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionClass, builtin_exception
from jaxmpi_lint.analysis.conditions.division import divides
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption, RankFact, rank_test_of
from jaxmpi_lint.analysis.divergence.certain_failures import fails_before
from jaxmpi_lint.analysis.lattice.communicator_substitution import parameter_groups, substitute
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    Communicator,
    RankOf,
    ResultOf,
    Uniformity,
)
from jaxmpi_lint.analysis.participation.call_failures import (
    CallFailures,
    Failure,
    compares_own_data,
    is_of_data,
    selects,
)
from jaxmpi_lint.analysis.participation.common_reachability import CommonReachability
from jaxmpi_lint.analysis.participation.must_collectives import MustCollectives, NextCollective
from jaxmpi_lint.analysis.participation.try_statements import spelling
from jaxmpi_lint.analysis.uniformity.communicator_usage import called_function
from jaxmpi_lint.analysis.uniformity.narrowing import single_process
from jaxmpi_lint.analysis.uniformity.passed_arguments import with_defaults
from jaxmpi_lint.checks.exits.exhausted_loops import is_after_a_search
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionFlow
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.views import Graph
    from jaxmpi_lint.analysis.model.call_graph import CallSite
    from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers

_EQUALITIES = frozenset({"==", "!=", "is", "is not", "in", "not in"})
_LOOPS = frozenset({"for", "while", "comprehension"})
_LIBRARIES = ("mpi4py.MPI.", "mpi4jax.", "jax.")


@dataclass(frozen=True, slots=True)
class Condition:
    """A part of a test that must have a given outcome for a place to be reached."""

    block: int
    branch: ir.Branch
    part: ir.Expression
    truth: bool
    test: Uniformity


def _is_expected(failure: Failure) -> bool:
    """Whether a function raises an exception for what it finds in files, in other programs or in the data.

    Other exceptions are for calls that are wrong.
    """
    return failure.is_raise and (failure.local or failure.of_files or failure.is_own)


@dataclass(frozen=True, slots=True)
class DivergentExit:
    """One role exits at ``span``; the others reach ``ahead`` without it."""

    function: Function
    span: ir.Span
    kind: str
    role: Condition
    further: Condition | None
    ahead: NextCollective
    fact: RankFact | None
    caller: CallSite | None = None  # the call of the function, if the collective is after it
    of_data: bool = False  # the data of a process decides, not its rank
    inner: Failure | None = None  # the exception in the function that is called at ``span``

    @property
    def is_by_rank(self) -> bool:
        """Whether the rank itself selects the role, not an amount computed from it."""
        test = self.role.part
        if not isinstance(test, ir.Comparison) or set(test.operators) & _EQUALITIES or self.fact is not None:
            return True
        env = self.function.flow.environment_before(self.role.block, None)
        nodes = (node for operand in test.operands for node in ir.walk(operand))
        return any(isinstance(self.function.value(node, env).entity, RankOf) for node in nodes)


@dataclass(frozen=True, slots=True)
class Exit:
    """The end of a block by an exception: ``raise``, ``assert``, ``exit``, or the ``call`` of a function that raises.

    ``inner`` is the exception of a called function.
    """

    block: int
    span: ir.Span
    kind: str
    raised: ExceptionClass | None
    inner: Failure | None = None


class DivergentExits:
    """Facts about the exits of one function, and about the roles that take them."""

    def __init__(self, function: Function, resort: AbortHandlers) -> None:
        self._function = function
        self._resort = resort

    @property
    def function(self) -> Function:
        """The function."""
        return self._function

    @property
    def resort(self) -> AbortHandlers:
        """The handlers that terminate the whole job when one process fails."""
        return self._resort

    @cached_property
    def flow(self) -> ExceptionFlow:
        """Where exceptions lead."""
        return self._resort.flow(self._function)

    @property
    def _graph(self) -> Graph:
        return self._function.graph

    def has_roles(self) -> bool:
        """Whether a branch of the function selects processes that may exit alone."""
        return any(selects(deciding_facet(branch, test)) for _, branch, test in self._function.branches())

    # --- the exits ---

    def exits(self) -> Iterator[Exit]:
        """The blocks that end in an exception."""
        module = self._function.module
        for block in self._function.ir.blocks:
            if self._function.flow.entries[block.index] is None:
                continue
            call = self.flow.exit_call(block.index)
            if call is not None:
                yield Exit(block.index, call.span, "exit", builtin_exception("SystemExit"))
                continue
            match block.terminator:
                case ir.Raise(span=span, value=value):
                    word = module.source(span)
                    if word.startswith("assert"):
                        yield Exit(block.index, span, "assert", builtin_exception("AssertionError"))
                    elif word.startswith("raise"):  # not the end of a ``finally``
                        yield Exit(block.index, span, "raise", self.flow.exception_class(value))

    def calls(self) -> Iterator[Exit]:
        """The calls of functions that raise an exception, one for each call."""
        failures = self._function.project.get(CallFailures)
        seen: set[ir.Span] = set()
        for block, bound, called in self._function.calls_of_functions:
            if bound.call.span in seen or not failures.may_raise(called):
                continue
            if not any(selects(condition.test) for condition in self.conditions(block)):
                continue
            seen.add(bound.call.span)
            found = failures.of_call(self._function, block, bound)
            raised = next((failure for failure in found if _is_expected(failure)), None)
            if raised is not None:
                yield Exit(block, bound.call.span, "call", raised.raised, raised)

    def is_obvious(self, left: Exit) -> bool:
        """Whether an assertion is for a type checker, or checks received data."""
        for block, branch, _ in self._function.branches():
            if branch.kind != "assert" or branch.extent != left.span:
                continue
            if isinstance(branch.test, ir.Call) and ir.dotted(branch.test.func) == "isinstance":
                return True
            if isinstance(branch.test, ir.Comparison) and branch.test.operators == ("is not",):
                return True
            env = self._function.flow.environment_before(block.index, None)
            for node in ir.walk(branch.test):
                held = self._function.value(node, env) if isinstance(node, ir.Name) else NOTHING
                if isinstance(held.entity, ResultOf) and held.entity.operation.startswith(_LIBRARIES):
                    return True
                if held.content.level is Level.RANK and not isinstance(held.entity, RankOf):
                    return True
        return False

    def tells(self, block: int) -> bool:
        """Whether a block communicates with the other processes, or aborts."""
        return self._resort.tells(self._function, block)

    # --- the roles that exit, and their conditions ---

    def conditions(self, block: int) -> Iterator[Condition]:
        """The tests that guard a block; the operands of ``and`` separately."""
        for decider, branch, value in self._function.branches():
            index = decider.index
            if index == block or self._function.module_model.is_declared_uniform(branch.span):
                continue
            yes = block in self.flow.reachable(branch.when_true, index)
            if yes == (block in self.flow.reachable(branch.when_false, index)):
                continue
            if isinstance(branch.test, ir.Constant) or (branch.kind in _LOOPS and not yes):
                continue  # no information: after a loop, or an ``assert False``
            arm = branch.when_true if yes else branch.when_false
            if selects(value.content) and is_after_a_search(self._function, self.flow, block, branch, arm):
                continue
            test = branch.test
            if isinstance(test, ir.BooleanOperation) and (test.operator == "and") == yes:
                env = self._function.flow.environment_before(index, None)
                for operand in test.operands:
                    content = self._function.value(operand, env).content
                    if content.level is value.content.level:
                        content = content.join(value.content)
                    yield Condition(index, branch, operand, yes, content)
            else:
                yield Condition(index, branch, test, yes, deciding_facet(branch, value))

    def means_one_process(self, condition: Condition) -> bool:
        """Whether a condition holds only in jobs with one process."""
        env = self._function.flow.environment_before(condition.block, None)
        part, truth = condition.part, condition.truth
        return single_process(self._function.evaluator, part, truth, env) is not None

    def leaves_sometimes(self, left: Exit, role: Condition, further: list[Condition]) -> bool:
        """Whether the role may legitimately reach the exit: all ranks do, or a further condition guards it."""
        if any(condition.block == role.block for condition in further):
            return True
        if self.is_of_data(role, list(self.conditions(left.block))):
            return True
        arm = role.branch.when_true if role.truth else role.branch.when_false
        region = self.flow.reachable(arm, role.block)
        inside = [c for c in self.conditions(left.block) if c.block in region and c.block != role.block]
        if arm in self._graph.successors[role.block] and self._goes_on(arm):
            return not inside or any(condition in further for condition in inside)
        fact = self.fact(role)  # a single rank that reports a failure for all ranks
        if further and fact is not None and fact.equal:
            return True
        return self._function.project.get(CommonReachability).reached_by_all(self._function, role.block)

    def is_of_data(self, role: Condition, conditions: list[Condition]) -> bool:
        """Whether a test is of the data of a process, in which any process may have what leads to the exit."""
        if compares_own_data(self._function, role.block, role.part):
            return False
        loops = [(c.branch, c.test) for c in conditions if c.branch is not role.branch and c.branch.kind == "for"]
        return is_of_data([*loops, (role.branch, role.test)] if role.branch.kind != "for" else loops)

    def _goes_on(self, arm: int) -> bool:
        """Whether control can leave a branch without an exception."""
        seen, stack = {arm}, [arm]
        while stack:
            index = stack.pop()
            if index == self._graph.exit:
                return True
            targets = self._graph.successors[index]
            terminator = self._function.ir.blocks[index].terminator
            if isinstance(terminator, ir.Branch) and isinstance(terminator.test, ir.Constant):
                targets = (terminator.when_true if terminator.test.value else terminator.when_false,)
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        return False

    def fact(self, role: Condition) -> RankFact | None:
        """The known fact about the rank of the processes that exit."""
        part, truth = ir.strip_not(role.part, role.truth)
        test = rank_test_of(self._function, role.block, part)
        return test.fact(truth) if test is not None else None

    def speaks_before(self, role: Condition, left: Exit) -> bool:
        """Whether the role communicates between the test and the exit."""
        arm = role.branch.when_true if role.truth else role.branch.when_false
        between = self.flow.leading_to(left.block, self.flow.reachable(arm, role.block))
        return any(self.tells(index) for index in between)

    # --- the other processes ---

    def ahead_of_others(self, role: Condition, further: list[Condition]) -> NextCollective | None:
        """The collective that the others reach in this function, and the role skips."""
        function = self._function
        others = [Assumption(function, role.block, not role.truth, role.part)]
        equal = [Assumption(function, c.block, c.truth, c.part) for c in further]

        def decide(block: int) -> bool | None:
            for assumption in (*others, *equal):
                decided = assumption.decide(block)
                if decided is not None:
                    return decided
            return None

        start = role.branch.when_false if role.truth else role.branch.when_true
        if start not in self._graph.successors[role.block]:
            return None

        def wanted(communicator: Communicator) -> bool:
            return divides(function, role.test, communicator) or self._parts_piece(role, further, communicator)

        ahead = MustCollectives(function, wanted, decide).next_from(start)
        return ahead if ahead is not None and self._is_missed(role, ahead) else None

    def _is_missed(self, role: Condition, ahead: NextCollective) -> bool:
        """Whether the role would also reach the collective; otherwise that is the defect, not the exception."""
        arm = role.branch.when_true if role.truth else role.branch.when_false
        if not self._goes_on(arm):
            return True
        own = MustCollectives(self._function, lambda other: bool(other.groups & ahead.communicator.groups))
        return any(
            spelling(other.operation.method) == spelling(ahead.operation.method)
            for index in self._graph.reachable(arm)
            for other in own.all_in_block(index)
        )

    def others_fail(self, role: Condition, end: int | None) -> bool:
        """Whether the others use an unbound name or None before they reach a place in the text, so that they fail."""
        start = role.branch.when_false if role.truth else role.branch.when_true
        return fails_before(self._function, role.block, start, end)

    def others_return(self, role: Condition) -> bool:
        """Whether the others return from the function, which does not communicate."""
        if self._function.any_call_may_communicate:
            return False
        return self._goes_on(role.branch.when_false if role.truth else role.branch.when_true)

    def ahead_in_callers(self, left: Exit, role: Condition) -> tuple[NextCollective, CallSite] | tuple[None, None]:
        """A collective after a call of the function that all processes make."""
        for site in self._resort.calls_of(self._function):
            caller = DivergentExits(site.caller, self._resort)
            ahead = caller.after_call(site, left.raised, role.test)
            if ahead is not None and not self._resort.covers(site.caller):
                return ahead, site
        return None, None

    def after_call(self, site: CallSite, raised: ExceptionClass | None, test: Uniformity) -> NextCollective | None:
        """The collective after a call in this function that propagates an exception, for the processes of a test."""
        bound = self._function.flow.calls.get(site.span)
        callee = called_function(bound) if bound is not None else None
        if bound is None or callee is None or self._function.ir.is_generator:
            return None
        if any(guard.test.content.level is Level.RANK for guard in guards(self._function, site.block)):
            return None
        if not self.flow.leaves(site.block, raised, self.tells):
            return None
        env = self._function.flow.environment_before(site.block, None)
        arguments = self._function.evaluator.calls.bind_arguments(callee, bound, env)
        target = self._function.project.function(callee.path, callee.qualname)
        if target is not None:
            arguments = with_defaults(target, arguments, bound)
        groups = parameter_groups(callee.path, callee.qualname, arguments)
        own = substitute(NOTHING.of_content(test), groups).content
        certain = MustCollectives(self._function, lambda other: divides(self._function, own, other))
        return certain.next_after(site.block, site.span)

    def _parts_piece(self, role: Condition, further: list[Condition], communicator: Communicator) -> bool:
        """Whether the role divides a communicator from ``Split`` whose colour is among the conditions.

        The new communicator then also contains processes of the same colour that do not exit.
        """
        if communicator.origin is None or not communicator.ancestors & role.test.groups:
            return False
        made = self._function.flow.calls.get(communicator.origin)
        colour = made.argument("color") if made is not None and made.operation is not None else None
        if colour is None or made is None or made.operation is None or made.operation.method != "Split":
            return False
        text = self._function.module.source
        return text(colour.span) in {text(without_not(condition.part).span) for condition in further}

    def is_colour(self, condition: Condition) -> bool:
        """Whether a test was the colour of an earlier ``Split``, so that it is uniform in each part."""
        text = self._function.module.source
        tested = text(without_not(condition.part).span)
        return any(
            colour is not None and text(colour.span) == tested
            for index, bound in self._function.calls_by_block
            if bound.operation is not None and bound.operation.method == "Split"
            if index == condition.block or condition.block in self._graph.reachable(index)
            for colour in (bound.argument("color"),)
        )
