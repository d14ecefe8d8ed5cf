"""Operations of mpi4jax and JAX whose result, which alone holds the received data, is discarded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import is_read_after, is_read_by_methods, place_of
from jaxmpi_lint.analysis.conditions.guards import exclude_each_other, guards
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Literal, RankOf
from jaxmpi_lint.analysis.uniformity.communicator_usage import call_of
from jaxmpi_lint.checks.base import assign_result
from jaxmpi_lint.checks.mpi4jax.mpi4jax_versions import expects_exception, takes_tokens
from jaxmpi_lint.checks.mpi4jax.returned_arrays import BROADCAST, is_receiving, returned_array
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Operation

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_AT_ROOT = frozenset({"gather", "reduce"})


class Loss(StrEnum):
    """Later uses of the array that was passed as argument or template."""

    USED = "used"  # read afterwards as if it held the data
    OUTLIVES = "outlives"  # a parameter or an attribute, which other code may read
    GONE = "gone"  # never read, so never mistaken for the result


@dataclass(frozen=True, slots=True)
class DroppedArray:
    """An expression statement that is only such a call; ``unchanged`` may be mistaken for its result."""

    function: Function
    step: ir.Discard
    call: ir.Call
    operation: Operation
    unchanged: str | None
    loss: Loss

    @property
    def kind(self) -> str:
        """The loss, by its name."""
        return self.loss.value

    @property
    def what(self) -> str:
        """The consequence."""
        return f"`{self.unchanged}` does not change" if self.unchanged is not None else "the received data is lost"

    @property
    def called(self) -> str:
        """The function as the program names it."""
        return self.function.module.line(self.call.func.span)

    @property
    def kept(self) -> str:
        """What the result can be assigned to."""
        return self.unchanged or "result"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where the old array is read."""
        return Confidence.HIGH if self.loss is Loss.USED else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """Where it is compiled, and what it returns."""
        trace = self.function.project.traced.trace_of(self.function)
        if trace is not None:
            yield Step(trace.module, trace.span, "compiled; the operation is still executed")
        yield Step(self.function.module, self.call.span, f"returns a new array; {self.what}")


def dropped_arrays(function: Function) -> Iterator[DroppedArray]:
    """The statements of a function that discard a result of mpi4jax or JAX that should have been kept."""
    found = [*_dropped_by_call(function), *_dropped_through_helpers(function)]
    yield from found if found and not expects_exception(function) else ()


def users(module: Module) -> Iterable[Function]:
    """The functions of a file that names JAX: they may call functions of other files that use mpi4jax."""
    return module.functions() if "jax" in module.ir.text else ()


def _dropped_by_call(function: Function) -> Iterator[DroppedArray]:
    bare = [
        (block, step, bound, operation)
        for block in function.ir.blocks
        for step in block.steps
        if isinstance(step, ir.Discard) and isinstance(step.value, ir.Call)
        if (bound := function.bound(step.value)) is not None
        if (operation := _receiving(bound)) is not None
    ]
    spans = {bound.call.span for _, _, bound, _ in bare}
    seen: set[ir.Span] = set()
    for block, step, bound, operation in bare:
        if step.span in seen or _is_one_side(function, block.index, bound, operation, spans):
            continue
        seen.add(step.span)
        argument = bound.argument(operation.template or (operation.sends[0] if operation.sends else None))
        place = place_of(argument) if argument is not None else None
        ignored = spans if operation.template is not None else spans | _same_calls(function, operation)
        loss = _loss(function, block, step, place, ignored)
        yield DroppedArray(function, step, bound.call, operation, place, loss)


def _dropped_through_helpers(function: Function) -> Iterator[DroppedArray]:
    """The statements that discard what a function of the project returns, which is such a result."""
    for block in function.ir.blocks:
        for step in block.steps:
            if not isinstance(step, ir.Discard) or not isinstance(step.value, ir.Call):
                continue
            bound = function.bound(step.value)
            found = returned_array(function, bound) if bound is not None and bound.operation is None else None
            place = place_of(found.argument) if found is not None and found.argument is not None else None
            if bound is None or found is None or place is None or guards(function, block.index):
                continue
            is_repeated = sum(one.callee.entity == bound.callee.entity for one in function.calls()) > 1  # a warm-up
            is_read = is_read_after(function, block, step, place, {bound.call.span})
            if not is_repeated and (is_read or is_read_by_methods(function, place)):
                yield DroppedArray(function, step, bound.call, found.operation, place, Loss.USED)


def _receiving(bound: BoundCall) -> Operation | None:
    operation = bound.operation
    return operation if operation is not None and is_receiving(operation) else None


def _same_calls(function: Function, operation: Operation) -> set[ir.Span]:
    """Calls of the operation; passing the argument to one whose result is kept is not a use (warm-up, then timing)."""
    return {b.call.span for b in function.calls() if b.operation is not None and b.operation.name == operation.name}


def _loss(function: Function, block: ir.Block, step: ir.Step, place: str | None, ignored: set[ir.Span]) -> Loss:
    if place is None:
        return Loss.GONE
    if is_read_after(function, block, step, place, ignored):
        return Loss.USED
    root = place.partition(".")[0]
    outlives = "." in place or not function.is_local(root) or any(p.name == root for p in function.ir.parameters)
    return Loss.OUTLIVES if outlives else Loss.GONE


def _is_one_side(function: Function, block: int, bound: BoundCall, operation: Operation, dropped: set[ir.Span]) -> bool:
    """Whether only ranks without a new result make the call: the root of a bcast, other ranks of a gather or reduce.

    A call of the same operation in the other arm of a test, which keeps the result, is evidence for it as well.
    """
    if operation.root is None and operation.method != BROADCAST:
        return False
    at_root = operation.method not in _AT_ROOT
    root = bound.argument(operation.root)
    if any(exclude_each_other(function, block, other) for other in _kept(function, operation, dropped)):
        return True
    if operation.method == BROADCAST:
        return any(guard.test.content.level is Level.RANK for guard in guards(function, block))
    env = function.flow.environment_before(block, None)
    return any(_decides(function, env, g.branch.test, g.truth == at_root, root) for g in guards(function, block))


def _kept(function: Function, operation: Operation, dropped: set[ir.Span]) -> Iterator[int]:
    """The blocks that keep the result of the operation."""
    for block in function.ir.blocks:
        calls = (call_of(function, step) for step in block.steps)
        if any(b is not None and b.operation == operation and b.call.span not in dropped for b in calls):
            yield block.index


def _decides(
    function: Function, env: Environment, test: ir.Expression, equal: bool, root: ir.Expression | None
) -> bool:
    """Whether a test with that outcome implies that the rank is (or is not) the root."""
    test, equal = ir.strip_not(test, equal)
    if isinstance(test, ir.Comparison) and len(test.operators) == 1:
        wanted = ("==",) if equal else ("!=", ">") if _number(function, env, root) == 0 else ("!=",)
        if test.operators[0] not in wanted:
            return False
        for rank, number in (test.operands, test.operands[::-1]):
            if isinstance(function.value(rank, env).entity, RankOf) and _same(function, env, number, root):
                return True
        return False
    return isinstance(function.value(test, env).entity, RankOf) and not equal and _number(function, env, root) == 0


def _number(function: Function, env: Environment, expression: ir.Expression | None) -> object:
    entity = function.value(expression, env).entity if expression is not None else None
    return entity.value if isinstance(entity, Literal) else None


def _same(function: Function, env: Environment, number: ir.Expression, root: ir.Expression | None) -> bool:
    if root is None:
        return False
    value = _number(function, env, root)
    if value is not None:
        return _number(function, env, number) == value
    return function.module.source(number.span) == function.module.source(root.span)


def assignment(found: DroppedArray) -> Repair | None:
    """The fix: assign the result to a local name, where the call is the whole statement."""
    name, function = found.unchanged, found.function
    if name is None or not name.isidentifier() or not function.is_local(name):
        return None
    if function.module.source(found.step.span) != function.module.source(found.call.span):
        return None
    target = f"{name}, _" if takes_tokens(function.project) and found.operation.token else name
    return assign_result(found.call.span[0], name, target)
