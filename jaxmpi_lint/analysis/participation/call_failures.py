"""Exceptions that calls may raise on one process alone: operations on local data, and functions that make them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet, without_not
from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionClass, ExceptionFlow, builtin_exception
from jaxmpi_lint.analysis.conditions.constant_propagation import arguments_of
from jaxmpi_lint.analysis.conditions.guards import guards_of_all_ways
from jaxmpi_lint.analysis.lattice.lattice import UNKNOWN, FunctionReference, RankOf, Uniformity
from jaxmpi_lint.analysis.lattice.limits import FAILING_CALLS
from jaxmpi_lint.analysis.lattice.recursion import Solved
from jaxmpi_lint.analysis.lattice.shape_queries import OWN_LENGTH
from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers, entered_around
from jaxmpi_lint.analysis.participation.decorating_functions import functions_around
from jaxmpi_lint.analysis.uniformity.communicator_usage import called_function, run_function
from jaxmpi_lint.analysis.uniformity.narrowing import leaves_one
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.python.local_failures import BROAD, LOCAL_FAILURE_METHODS, LOCAL_FAILURES, OWN_FILES

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import FunctionReference

_EQUALITIES = frozenset({"==", "!=", "is", "is not", "in", "not in"})
_OF_ONE_PROCESS = frozenset({Source.CLOCK, Source.RANDOM, Source.SHARE, Source.ELEMENT})
_NAMING_PROCESSES = frozenset({"driver", "comm", "parallel"})


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception that may leave a function, and where it is raised.

    ``test`` is the test that decides it, if that differs between processes; ``local``: it is the failure of an
    operation on local data, which any process may have; ``of_files``: a test of files decides it,
    ``of_data``: one of the data of a process.
    """

    raised: ExceptionClass
    module: ir.Module
    span: ir.Span
    local: bool = False
    test: Uniformity = UNKNOWN
    of_files: bool = False
    of_data: bool = False

    @property
    def is_raise(self) -> bool:
        """Whether the program raises it itself."""
        return self.module.source(self.span).startswith("raise")

    @property
    def is_own(self) -> bool:
        """Whether it provably depends on data of one process."""
        return self.test.level.diverges


class CallFailures:
    """The exceptions that may leave the functions of a project; a service of the project."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[tuple[str, str, str, int], tuple[Failure, ...]] = {}
        self._raising = Solved[tuple[str, str], bool](False)

    def may_raise(self, reference: FunctionReference) -> bool:
        """Whether a function, or one that it calls, contains a ``raise``: a cheap test for `of_call`."""
        target = self._project.function(*reference.key)
        return target is not None and self._raising.of(target.key, lambda: self._raises(target))

    def _raises(self, function: Function) -> bool:
        if function.module.text.find("raise", *function.ir.span) >= 0:
            return True
        return any(self.may_raise(called) for _, _, called in function.calls_of_functions)

    def of_call(self, function: Function, block: int, bound: BoundCall, depth: int = 0) -> tuple[Failure, ...]:
        """The exceptions that may leave a called function, for the arguments of the call."""
        reference = run_function(self._project, bound)
        target = self._project.function(*reference.key) if reference is not None else None
        if reference is None or target is None or depth >= FAILING_CALLS or not _may_raise(target):
            return ()
        contexts = self._project.contexts
        run = contexts.at_call(function, bound, block)
        if run is None:
            given = function.constants.passed(arguments_of(function, bound, target))
            run = contexts.with_constants(target, given)
        if self._project.is_running(run):
            return ()
        key = (*run.key, run.run, depth)
        if key not in self._known:
            found = _FunctionFailures(self, run, depth).find()
            self._known[key] = tuple(failure for failure in found if self._leaves_decorators(target, failure))
        return self._known[key]

    def _leaves_decorators(self, target: Function, failure: Failure) -> bool:
        """Whether no decorator of the project may take an exception that leaves the decorated function."""
        resort = self._project.get(AbortHandlers)
        wrapper = self._project.decorators.wrapper(target)
        if wrapper is not None:
            tells = partial(resort.tells, wrapper)
            calls = [block for block, bound in wrapper.calls_by_block if _runs(bound, target)]
            return bool(calls) and all(resort.flow(wrapper).leaves(block, failure.raised, tells) for block in calls)
        around = functions_around(target)
        return around is not None and not any(_may_suppress(one) or resort.flow(one).handlers for one in around)


class _FunctionFailures:
    """The exceptions that may leave one function."""

    def __init__(self, calls: CallFailures, function: Function, depth: int) -> None:
        self._calls = calls
        self._function = function
        self._depth = depth
        self._resort = function.project.get(AbortHandlers)
        self._flow: ExceptionFlow = self._resort.flow(function)

    def find(self) -> Iterator[Failure]:
        """Every exception that is not caught, and of which no other process is told."""
        for block, failure in (*self._of_calls(), *self._of_raises()):
            if not self._is_harmless(block, failure) and self._leaves(block, failure.raised):
                yield failure

    def _leaves(self, block: int, raised: ExceptionClass | None) -> bool:
        return self._flow.leaves(block, raised, partial(self._resort.tells, self._function))

    def _is_harmless(self, block: int, failure: Failure) -> bool:
        if is_of_one_process(self._function, block) or "NotImplementedError" in failure.raised.ancestry:
            return True
        if self._resort.handles(self._function, block, failure.span):
            return True
        around = entered_around(self._function.ir, failure.span) if failure.module is self._function.module else ()
        return any(self._resort.manager_tells(self._function, enter) for enter in around)

    def _of_calls(self) -> Iterator[tuple[int, Failure]]:
        module = self._function.module
        for block, bound in self._function.calls_by_block:
            for name in local_failures(bound):
                yield block, Failure(failure_named(name), module, bound.call.span, local=True)
            for failure in self._calls.of_call(self._function, block, bound, self._depth + 1):
                yield block, failure

    def _of_raises(self) -> Iterator[tuple[int, Failure]]:
        module = self._function.module
        for block in self._function.ir.blocks:
            end = block.terminator
            if not isinstance(end, ir.Raise) or self._function.flow.entries[block.index] is None:
                continue
            raised = self._flow.exception_class(end.value) if module.source(end.span).startswith("raise") else None
            if raised is not None:
                found = list(deciding_branches(self._function, self._flow, block.index))
                own = [
                    (branch, test)
                    for index, branch, test in found
                    if test.source is not Source.FILES and not compares_own_data(self._function, index, branch.test)
                ]
                by = own[0][1] if own else UNKNOWN
                local = self._is_translated(block.index)
                yield (
                    block.index,
                    Failure(raised, module, end.span, local, by, bool(found and not own), is_of_data(own)),
                )

    def _is_translated(self, block: int) -> bool:
        """Whether a ``raise`` is in the handler of a local failure."""
        for handler in self._flow.handlers.values():
            if block in self._flow.reachable(handler.entry, exceptions=False):
                return any(
                    self._flow.catches(handler, failure_named(name)) is True
                    for index, bound in self._function.calls_by_block
                    if handler.entry in self._function.ir.blocks[index].handlers
                    for name in local_failures(bound)
                )
        return False


def _runs(bound: BoundCall, target: Function) -> bool:
    """Whether a call runs a function."""
    called = bound.callee.entity
    return isinstance(called, FunctionReference) and called.key == target.key


def _may_suppress(function: Function) -> bool:
    """Whether a function is an ``__exit__`` that may return a true value."""
    returned = [end.value for block in function.ir.blocks if isinstance(end := block.terminator, ir.Return)]
    is_exit = function.ir.qualname.rpartition(".")[2] == "__exit__"
    is_false = (value is None or (isinstance(value, ir.Constant) and not value.value) for value in returned)
    return is_exit and not all(is_false)


def _may_raise(function: Function) -> bool:
    """Whether a call of a function runs it at once: the exceptions of a generator are raised elsewhere."""
    known = function.ir
    return not (known.is_generator or known.is_async or known.is_too_large or known.kind == "module")


def deciding_tests(function: Function, flow: ExceptionFlow, index: int, start: int = 0) -> Iterator[Uniformity]:
    """The tests after a position that decide whether a block is reached, and that differ between processes."""
    return (facet for _, _, facet in deciding_branches(function, flow, index, start))


def deciding_branches(
    function: Function, flow: ExceptionFlow, index: int, start: int = 0
) -> Iterator[tuple[int, ir.Branch, Uniformity]]:
    """The branches after a position that decide whether a block is reached, and that processes take differently."""
    for block, branch, test in function.branches():
        facet = deciding_facet(branch, test)
        if facet.level not in (Level.RANK, Level.LOCAL) or branch.span[0] < start:
            continue
        taken = index in flow.reachable(branch.when_true, block.index, exceptions=False)
        if taken != (index in flow.reachable(branch.when_false, block.index, exceptions=False)):
            yield block.index, branch, facet


def selects(test: Uniformity) -> bool:
    """Whether a test selects processes: by their rank, or by data of their own."""
    return test.level is Level.RANK or (test.level is Level.LOCAL and test.source in _OF_ONE_PROCESS)


def is_of_data(tests: Sequence[tuple[ir.Branch, Uniformity]]) -> bool:
    """Whether tests are of the data of a process: any process may have what leads to an exception."""
    return any(
        test.source in _OF_ONE_PROCESS or test.tells(OWN_LENGTH) or (branch.kind == "for" and selects(test))
        for branch, test in tests
    )


def compares_own_data(function: Function, block: int, test: ir.Expression) -> bool:
    """Whether a test may compare two values of one process, such as two lengths: it may hold on all processes.

    A deadline is compared with the clock. An unknown value may well belong to the process if it is to be equal.
    """
    test = without_not(test)
    if isinstance(test, ir.BooleanOperation):
        return any(compares_own_data(function, block, operand) for operand in test.operands)
    if not isinstance(test, ir.Comparison):
        return False
    env = function.flow.environment_before(block, None)
    values = [function.value(operand, env) for operand in test.operands]
    if any(isinstance(value.entity, RankOf) for value in values):
        return False
    held = [value.content for value in values]
    if _EQUALITIES.issuperset(test.operators):
        return sum(content.level is not Level.UNIFORM for content in held) > 1
    return sum(content.level.diverges and content.source is not Source.CLOCK for content in held) > 1


def is_of_one_process(function: Function, block: int) -> bool:
    """Whether a block is reached only in jobs with one process."""
    for guard in guards_of_all_ways(function, block):
        env = function.flow.environment_before(guard.block, None)
        if leaves_one(function.evaluator, guard.branch.test, guard.truth, env):
            return True
    return False


def local_failures(bound: BoundCall) -> tuple[str, ...]:
    """The exceptions with which a call may fail on one process alone; empty if all processes make it together."""
    if bound.operations or called_function(bound) is not None:
        return ()
    if names_processes(bound):
        return ()
    name = (bound.dotted or "").removeprefix("builtins.")
    if name:
        return LOCAL_FAILURES.get(name, ())
    if isinstance(bound.call.func, ir.Attribute):
        return LOCAL_FAILURE_METHODS.get(bound.call.func.attr, ())
    return ()


def names_processes(bound: BoundCall) -> bool:
    """Whether a call is given the processes that participate."""
    return any(argument.keyword in _NAMING_PROCESSES for argument in bound.call.args)


def failure_named(name: str) -> ExceptionClass:
    """The exception class of a name in the tables."""
    return builtin_exception(name) or ExceptionClass(name, frozenset({name, *BROAD}), True)


def failures_of_files(names: tuple[str, ...], own: bool) -> tuple[ExceptionClass, ...]:
    """The exceptions of an operation; a file that belongs to one process may be missing for it alone."""
    return tuple(map(failure_named, (*names, *OWN_FILES) if own else names))
