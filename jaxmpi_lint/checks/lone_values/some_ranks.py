"""Uses, by all ranks, of values that are None on some of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import steps_with
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.limits import LONE_VALUE_CALLS
from jaxmpi_lint.analysis.lattice.value_queries import is_none
from jaxmpi_lint.analysis.uniformity.chosen_returns import RETURN_DECIDED
from jaxmpi_lint.checks.base import reason_steps
from jaxmpi_lint.checks.lone_values.guarding import (
    Origin,
    is_bound_between,
    is_for_all,
    is_of_role,
    leaves_function,
)
from jaxmpi_lint.checks.lone_values.missing_fields import is_missing_field
from jaxmpi_lint.checks.lone_values.none_uses import NoneUse, none_uses
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment, Reason, Uniformity

_FAILURES = ("TypeError", "AttributeError", "ValueError")
"""What an operation on None raises."""
_POOL = "mpi4py.futures.MPICommExecutor"
"""Its ``__exit__`` returns True on the workers (mpi4py, `futures/pool.py`)."""


@dataclass(frozen=True, slots=True)
class LoneValue:
    """An operation on a value that some ranks have; ``calls`` lead to its function."""

    function: Function
    use: NoneUse
    noneness: Uniformity
    calls: tuple[Step, ...] = ()
    kind: str = "none"

    @property
    def place(self) -> Place:
        """The operation."""
        return Place(self.function.module, self.use.span)

    @property
    def confidence(self) -> Confidence:
        """High where the function itself decides who has the value."""
        return Confidence.MEDIUM if self.calls else Confidence.HIGH

    @property
    def text(self) -> str:
        """The value, as it is written."""
        return self.function.module.line(self.use.operand.span)

    @property
    def does(self) -> str:
        """What fails."""
        return self.use.does

    def steps(self) -> Iterator[Step]:
        """Who has the value, and the calls that pass it on."""
        yield from reason_steps(self.noneness.reason)
        yield from self.calls


def lone_values(function: Function) -> Iterator[LoneValue]:
    """The operations of a function, and those of the functions to which it passes such values."""
    yield from _in_run(function, ())


def _in_run(function: Function, calls: tuple[Step, ...]) -> Iterator[LoneValue]:
    if function.ir.is_too_large or not _may_have_any(function) or (not calls and is_of_role(function)):
        return
    seen: set[str] = set()
    for use, env in none_uses(function):
        noneness, text = function.value(use.operand, env).noneness, function.module.source(use.operand.span)
        if text in seen or not _is_own(function, use.operand, env):
            continue
        if _fails(function, use, noneness) and (not calls or _is_given(function, noneness)):
            seen.add(text)  # a rank that fails there does not come to further uses
            if not calls and _fails_in_constructor(function, use.operand, noneness):
                continue
            yield LoneValue(function, use, noneness, calls)
    if len(calls) < LONE_VALUE_CALLS:
        yield from _in_callees(function, calls)


def _fails_in_constructor(function: Function, operand: ir.Expression, noneness: Uniformity) -> bool:
    """Whether the constructor uses the value of a field before any other method can."""
    owner = function.module.classes.get(function.ir.owner or "")
    qualname = owner.methods.get("__init__") if owner is not None else None
    if qualname is None or qualname == function.ir.qualname or not is_missing_field(function, operand):
        return False
    constructor = function.module_model.function(qualname)
    return any(_source(one.noneness) == _source(noneness) for one in _in_run(constructor, ()))


def _source(noneness: Uniformity) -> tuple[str, ir.Span] | None:
    """The place that decides which ranks have a value."""
    chain = noneness.reason.chain() if noneness.reason is not None else []
    return (chain[0].module.path, chain[0].span) if chain else None


def _may_have_any(function: Function) -> bool:
    """Whether a function knows of such a value at all: a cheap test, since the values at every step take long."""
    known = [env for env in (*function.flow.entries, function.flow.exit) if env]
    if any(value.noneness.level is Level.RANK for env in known for value in env.values()):
        return True
    if any(bound.known_operation.result is Result.ROOT for bound in function.operation_calls):
        return True
    if function.self_name is None or function.ir.owner not in function.module.classes:
        return False
    fields = function.module_model.class_model(function.ir.owner or "").fields
    return any(value.noneness.level is Level.RANK for value in fields.values())


def _is_own(function: Function, operand: ir.Expression, env: Environment) -> bool:
    """Whether the function itself shows what a value is: of a name of its own, a call, a field that it has assigned."""
    if isinstance(operand, ir.Name):
        return function.is_local(operand.id)
    return isinstance(operand, ir.Call) or ir.dotted(operand) in env or is_missing_field(function, operand)


def _fails(function: Function, use: NoneUse, noneness: Uniformity) -> bool:
    if not _is_lone(noneness) or not leaves_function(function, use.block, *_FAILURES):
        return False
    if _is_of_pool(function, noneness):
        return False
    if is_expected_to_fail(function.ir, use.span) or _is_in_handler(function, use.span):
        return False
    if not _is_decided_in_sight(function, use.operand, noneness):
        return False
    name, origin = ir.dotted(use.operand) or "", _origin(function, use.operand, noneness)
    return is_for_all(function, use.block, name, origin) and not is_bound_between(function, name, origin, use.block)


def _is_in_handler(function: Function, span: ir.Span) -> bool:
    """Whether a use is in an exception handler, to which the ranks do not come together."""
    tries = (step for step in function.ir.steps() if isinstance(step, ir.Try))
    return any(ir.contains(handler.span, span) for step in tries for handler in step.handlers)


def _is_lone(noneness: Uniformity) -> bool:
    return noneness.level is Level.RANK and not noneness.overruled and noneness.reason is not None


def _is_of_pool(function: Function, noneness: Uniformity) -> bool:
    """Whether the value is that of a `with` block that ignores every exception on ranks where it is None."""
    spans = {link.span for link in noneness.reason.chain()} if noneness.reason is not None else set()
    return any(bound.call.span in spans and bound.known_operation.name == _POOL for bound in function.operation_calls)


def _is_given(function: Function, noneness: Uniformity) -> bool:
    """Whether a value was passed to the function, so that the function alone does not show the difference."""
    chain = noneness.reason.chain() if noneness.reason is not None else []
    return any(link.message == f"passed to `{function.ir.name}`" for link in chain)


def _origin(function: Function, operand: ir.Expression, noneness: Uniformity) -> Origin | None:
    """The block of the function in which it is decided who has the value; else the first one that binds its name."""

    def at(node: ir.Step | ir.Branch, link: Reason) -> bool:
        return ir.contains(node.span, link.span)

    for link in reversed(noneness.reason.chain() if noneness.reason is not None else []):
        blocks = function.ir.blocks if link.module is function.module else ()
        assigning = (b.index for b in blocks for step in b.steps if isinstance(step, ir.Assign) and at(step, link))
        tests = (b.index for b in blocks if isinstance(b.terminator, ir.Branch) and at(b.terminator, link))
        others = (b.index for b in blocks for step in b.steps if at(step, link))
        for found, by_test in ((assigning, False), (tests, True), (others, False)):
            block = next(found, None)
            if block is not None:
                return Origin(block, by_test)
    name = ir.dotted(operand) or ""
    binding = (block for block in function.ir.blocks if any(name in names_bound(step) for step in block.steps))
    return next((Origin(block.index, by_test=False) for block in binding), None)


def _is_decided_in_sight(function: Function, operand: ir.Expression, noneness: Uniformity) -> bool:
    """Whether the function, or one whose result it uses, decides who has the value; further ones may be connected."""
    assert noneness.reason is not None
    link = noneness.reason.chain()[-1]
    if link.message.startswith("passed to"):
        return True
    name = ir.dotted(operand)
    made = [operand, *(function.assignments.get(name, {}).values() if name is not None else ())]
    called = [bound.callee.entity for one in made if isinstance(one, ir.Call) and (bound := function.bound(one))]
    scopes = [function, *(function.project.function(*e.key) for e in called if isinstance(e, FunctionReference))]
    return is_missing_field(function, operand) or any(
        scope is not None
        and scope.module is link.module
        and ir.contains(scope.ir.span, link.span)
        and (scope is function or link.message == RETURN_DECIDED or _returns_lone_values_only(scope))
        for scope in scopes
    )


def _returns_lone_values_only(function: Function) -> bool:
    """Whether no test of anything else than the rank may select a result that all ranks have."""
    for block in function.ir.blocks:
        end = block.terminator
        if isinstance(end, ir.Return) and end.value is not None and function.flow.entries[block.index] is not None:
            value = function.value(end.value, function.flow.environment_before(block.index, None))
            if not (is_none(value) or _is_lone(value.noneness)):
                return False
    return True


def _in_callees(function: Function, calls: tuple[Step, ...]) -> Iterator[LoneValue]:
    calls_of_functions = function.calls_by_callee.get(FunctionReference, ())
    for made_in, bound, env in steps_with(function, calls_of_functions):
        block = made_in.index
        given = [function.value(argument.value, env).noneness for argument in bound.call.args]
        passed = [
            (argument.value, noneness)
            for argument, noneness in zip(bound.call.args, given, strict=True)
            if _is_lone(noneness) and _is_decided_in_sight(function, argument.value, noneness)
        ]
        if not passed or not leaves_function(function, block, *_FAILURES):
            continue
        origins = [(ir.dotted(value) or "", _origin(function, value, noneness)) for value, noneness in passed]
        if not all(is_for_all(function, block, name, origin) for name, origin in origins):
            continue
        if any(is_bound_between(function, name, origin, block) for name, origin in origins):
            continue
        run = function.project.contexts.at_call(function, bound, block)
        if run is not None and run.key != function.key:
            step = Step(function.module, bound.call.span, f"every rank calls `{run.ir.name}` here")
            yield from _in_run(run, (*calls, step))
