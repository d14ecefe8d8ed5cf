"""SPMD code: code that provably runs on all ranks, since it reads ranks or communicates, or its callers do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.conditions.configuration_choices import choices, exclude
from jaxmpi_lint.analysis.conditions.guards import Guard, guards, names_role
from jaxmpi_lint.analysis.conditions.one_rank import asks_for_program
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference, Literal, SizeOf, Value
from jaxmpi_lint.analysis.lattice.limits import SPMD_CALLERS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.participation.job_starters import starts_workers
from jaxmpi_lint.analysis.uniformity.communicator_usage import call_of
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment, Uniformity

_ROLES = re.compile(
    r"(?:^|[^a-z])(?:is_?|am_?i?_?|my_?)*(?:root|master|worker|slave|rank\w*|main(?:_process)?|primary|head|leader|"
    r"coordinator|manager|my_?id|me|process_index|process_id|proc_id|owner|writer|chief|lead|host|node)"
    r"(?![a-z]|_?(?:dir|path|folder|file|name))",
    re.IGNORECASE,
)
_PROCESSES = re.compile(
    r"(?<![a-z])(?:my)?(?:mpi(?:4\w+)?|comm|ranks?|jax|multihost|process_(?:index|count))(?![a-z])", re.IGNORECASE
)
_SEVERAL = re.compile(r"(?:[\w.]+[._])?(?:is|are|use|uses|run|running|with|in)?_?(?:parallel|distributed)(?:\(\))?")
"""A setting that holds if there are several processes: ``solver.is_parallel``."""

_KNOWN_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "property", "abstractmethod", "override", "cached_property", "jit", "partial"}
)


_PROPERTIES = frozenset({"errhandler", "flags", "group", "handle", "info", "name", "rank", "remote_size", "size"})
"""Properties of communicators (mpi4py, `MPI.Comm`)."""


class AllRanks:
    """Answers for one project; with ``by_default``, communication that only an option asks for is no evidence."""

    def __init__(self, sites: CallSites, by_default: bool = False) -> None:
        self.sites = sites
        self._by_default = by_default

    def run(self, function: Function, block: int, ignored: frozenset[ir.Span] = frozenset(), depth: int = 0) -> bool:
        """Whether all ranks reach a block: no role is tested before, and there is evidence of ranks.

        Tests whose spans are ``ignored`` do not count.
        """
        if depth > SPMD_CALLERS or is_for_some(function, block, ignored) or not _decorated_plainly(function):
            return False
        if _is_of_serial_run(function, block) or starts_workers(function.module.text):
            return False
        sites = self.sites.of(function)
        summaries = function.project.summaries
        if summaries.body_may_communicate(function) or _calls_communication(function, self._by_default):
            return not self._is_selected(function, all)
        if asks_for_ranks(function):
            return not self._is_selected(function, any)
        return bool(sites) and all(self.run(site.caller, site.block, depth=depth + 1) for site in sites)

    def _is_selected(self, function: Function, ways: Callable[[Iterable[bool]], bool], depth: int = 0) -> bool:
        """Whether a test of ranks or roles is on all, or any, visible ``ways`` to a function."""
        sites = self.sites.of(function) if depth <= SPMD_CALLERS else ()
        return bool(sites) and ways(
            is_for_some(site.caller, site.block) or self._is_selected(site.caller, ways, depth + 1) for site in sites
        )


def is_for_some(function: Function, block: int, ignored: frozenset[ir.Span] = frozenset()) -> bool:
    """Whether a block is control-dependent on a test of ranks or roles, or for a single process."""
    for guard in guards(function, block):
        if is_end_of_loop(guard) or raises_instead(function, guard):
            continue
        index = next(
            index for index, candidate in enumerate(function.ir.blocks) if candidate.terminator is guard.branch
        )
        env = function.flow.environment_before(index, None)
        for operand, truth in conjuncts(guard.branch.test, guard.truth):
            if asks_for_program(operand):
                continue
            if not truth and _SEVERAL.fullmatch(function.module.source(operand.span)):
                return True
            if operand.span not in ignored and _is_about_processes(function, operand, env):
                return True
    return False


def _is_of_serial_run(function: Function, block: int) -> bool:
    """Whether the settings with which a block is reached exclude every use of a communicator in the function.

    Such a setting chooses between a run of several processes and one of a single process. A communicator that the
    function receives, or that is there before the setting is read, belongs to both.
    """
    uses = [(index, node, value) for index, node, value in _values(function) if _tells_ranks(function, node, value)]
    if not uses or any(isinstance(node, ir.Name) and not _is_bound_in(function, node.id) for _, node, _ in uses):
        return False
    chosen = choices(function, block)
    derived = {node.id for _, node, value in uses if isinstance(node, ir.Name) and value.entity is None}
    sources = {index for index, node, _ in uses if not derived & set(map(ir.dotted, ir.walk(node)))}
    return bool(chosen) and all(exclude(choices(function, index), chosen) for index in sources)


def _is_bound_in(function: Function, name: str) -> bool:
    """Whether a name gets its values in the function only."""
    return function.is_local(name) and all(parameter.name != name for parameter in function.ir.parameters)


def is_end_of_loop(guard: Guard) -> bool:
    """Whether a block is reached when a loop over elements ends, which it does on every rank."""
    return not guard.truth and guard.branch.kind in ("for", "comprehension")


def raises_instead(function: Function, guard: Guard) -> bool:
    """Whether an exception is raised where a test has the other outcome."""
    other = guard.branch.when_false if guard.truth else guard.branch.when_true
    return isinstance(function.ir.blocks[other].terminator, ir.Raise)


def conjuncts(test: ir.Expression, truth: bool) -> Iterator[tuple[ir.Expression, bool]]:
    """The conjuncts that an outcome of a test implies: conditions without ``not``, and the outcome of each."""
    test, truth = _positive(test, truth)
    if isinstance(test, ir.BooleanOperation) and (test.operator == "and") == truth:
        for operand in test.operands:
            yield from conjuncts(operand, truth)
    else:
        yield test, truth


def _positive(test: ir.Expression, truth: bool) -> tuple[ir.Expression, bool]:
    """A condition without ``not``, ``== False`` and ``is True``."""
    test, truth = ir.strip_not(test, truth)
    match test:
        case ir.Comparison(operands=(operand, ir.Constant(value=bool() as value)), operators=(operator,)):
            if operator in ("==", "is", "!=", "is not"):
                return _positive(operand, truth == (value == (operator in ("==", "is"))))
    return test, truth


def _is_about_processes(function: Function, condition: ir.Expression, env: Environment) -> bool:
    """Whether a condition tests the identity of this process, or whether there are others."""
    if function.value(condition, env).content.level is Level.RANK:
        return True
    return bool(_ROLES.search(function.module.source(condition.span))) or _asks_for_one(function, condition, env)


def _calls_communication(function: Function, by_default: bool) -> bool:
    """Whether a function calls, for every rank, functions of the project that may communicate.

    Functions that communicate only if they receive a communicator also serve programs of one process: their files are
    no evidence of several processes.
    """
    if not _PROCESSES.search(function.module.text):
        return False
    for block in function.ir.blocks:
        for step in block.steps:
            bound = call_of(function, step)
            entity = bound.callee.entity if bound is not None else None
            if bound is None or not isinstance(entity, FunctionReference) or is_for_some(function, block.index):
                continue
            if by_default and _is_optional(function, bound):
                continue
            if function.project.summaries.function_may_communicate(entity.key):
                return True
    return False


def _is_optional(function: Function, bound: BoundCall, depth: int = 0) -> bool:
    """Whether the function that a call runs communicates only where an argument says that there are several processes.

    A tool of one process may have such an option.
    """
    entity = bound.callee.entity
    called = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    if called is None or bound.operations or depth > SPMD_CALLERS:
        return False
    may_communicate = function.project.summaries.call_may_communicate
    calls = [(block, inner) for block, inner in called.calls_by_block if may_communicate(inner, called.module)]
    return bool(calls) and all(
        any(_is_option(called, guard) for guard in guards(called, block)) or _is_optional(called, inner, depth + 1)
        for block, inner in calls
    )


def _is_option(function: Function, guard: Guard) -> bool:
    """Whether a test passes if an argument, named as `use_parallel` is, is true."""
    names = {parameter.name for parameter in function.ir.parameters}
    return any(
        truth and isinstance(operand, ir.Name) and _SEVERAL.fullmatch(operand.id) and operand.id in names
        for operand, truth in conjuncts(guard.branch.test, guard.truth)
    )


def asks_for_ranks(function: Function) -> bool:
    """Whether a function reads the rank of the process, or a communicator, itself or from a name that holds it."""
    return any(_tells_ranks(function, node, value) for _, node, value in _values(function))


def reads_of_ranks(function: Function) -> Iterator[tuple[int, ir.Span, Uniformity]]:
    """Where a function uses the rank of the process: the block, the expression and how it differs."""
    kept = {value.span for values in function.assignments.values() for value in values.values()}
    for block, node, value in _values(function):
        if value.content.level is Level.RANK and node.span not in kept:
            yield block, node.span, value.content


def is_foreign_flag(function: Function, span: ir.Span, found: Uniformity) -> bool:
    """Whether a value that another file computes from the rank is named like anything else, as `package.verbose` is.

    A tool that one process runs asks for such flags too.
    """
    is_foreign = found.reason is not None and found.reason.chain()[0].module is not function.module
    return is_foreign and not names_role(function.module.source(span))


def _values(function: Function) -> Iterator[tuple[int, ir.Expression, Value]]:
    for block, expression, env in _expressions(function):
        others: set[ir.Span] = set()
        for node in ir.walk(expression):
            if isinstance(node, (ir.Name, ir.Attribute, ir.Call, ir.Subscript)) and node.span not in others:
                value = function.value(node, env)
                if isinstance(node, ir.Attribute) and _has_foreign_part(function, node, value, env):
                    others.add(node.value.span)
                yield block, node, value


def _has_foreign_part(function: Function, node: ir.Attribute, value: Value, env: Environment) -> bool:
    """Whether an object that is named like a communicator has a part that communicators lack, as a registry has."""
    is_known = value.entity is not None or value.content.level is not Level.UNKNOWN
    is_member = is_known or node.attr in _PROPERTIES or function.project.catalogue.communicator_method(node.attr)
    return not is_member and isinstance(function.value(node.value, env).entity, Communicator)


def _tells_ranks(function: Function, node: ir.Expression, value: Value) -> bool:
    if value.content.level is Level.RANK and not is_foreign_flag(function, node.span, value.content):
        return True
    return isinstance(value.entity, Communicator) and not value.entity.is_self


def _expressions(function: Function) -> Iterator[tuple[int, ir.Expression, Environment]]:
    for block, step, env in function.steps():
        for expression in expressions_read(step):
            yield block.index, expression, env
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is not None and terminator_expressions(block):
            env = function.flow.environment_before(block.index, None)
            for expression in terminator_expressions(block):
                yield block.index, expression, env


def _asks_for_one(function: Function, condition: ir.Expression, env: Environment) -> bool:
    """Whether a condition compares the number of processes with a constant, or a communicator with None."""
    for node in ir.walk(condition):
        if isinstance(node, ir.Comparison):
            entities = [function.value(operand, env).entity for operand in node.operands]
            number = any(isinstance(entity, Literal) for entity in entities)
            if number and any(isinstance(entity, (SizeOf, Communicator)) for entity in entities):
                return True
    return False


def _decorated_plainly(function: Function) -> bool:
    """Whether no decorator may exclude some of the ranks."""
    for decorator in function.ir.decorators:
        name = ir.dotted(decorator.func if isinstance(decorator, ir.Call) else decorator) or ""
        if name.rpartition(".")[2] not in _KNOWN_DECORATORS:
            return False
    return True
