"""The order of the operations of one function by tokens and by data, where nothing else orders them.

Before 0.8 the compiler was free to reorder two mpi4jax operations unless the later one depended on a result of the
earlier one: its token, or its array. The dependences of values are propagated forward and joined by union where paths
meet, so an order that holds on one path is assumed on the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, place_of, terminator_expressions, written_names
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.checks.mpi4jax.mpi4jax_versions import (
    is_told_apart,
    returns_array,
    serves_several_generations,
    takes_tokens,
    token_operation,
    tokens_decide_the_order,
)
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.jax.dtypes import NUMPY_PACKAGE
from jaxmpi_lint.library.model import Operation
from jaxmpi_lint.library.mpi.mpi4jax_functions import CREATE_TOKEN, LIBRARY

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

Needs = frozenset[ir.Span]
_NOTHING: Needs = frozenset()


class Gap(StrEnum):
    """Why an operation is not ordered after an earlier one."""

    NO_TOKEN = "no token"
    OLD_TOKEN = "old token"
    NEW_TOKEN = "new token"


@dataclass(frozen=True, slots=True)
class Unordered:
    """An operation and the earlier ones that it may overtake; in a loop also the same call."""

    function: Function
    call: ir.Call
    operation: Operation
    gap: Gap
    overtaken: tuple[ir.Span, ...]
    token: ir.Expression | None

    @property
    def kind(self) -> str:
        """The gap, by its name."""
        return self.gap.value

    @property
    def place(self) -> Place:
        """The operation."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: an order that holds on one path is assumed on all."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """Where it is compiled, what it may overtake, and the token that does not order it."""
        module, trace = self.function.module, self.function.project.traced.trace_of(self.function)
        if trace is not None:
            yield Step(trace.module, trace.span, "compiled: operations without a common token are reordered")
        for earlier in self.overtaken:
            again = earlier == self.call.span
            yield Step(module, earlier, "the same operation in the previous iteration" if again else "may run after it")
        if self.token is not None:
            yield Step(module, self.token.span, "does not come from the previous operation")


@dataclass(slots=True)
class _State:
    """The state at one place: the dependences of each name, and the operations already issued."""

    needs: dict[str, Needs]
    done: Needs

    def join(self, other: _State) -> _State:
        names = self.needs.keys() | other.needs.keys()
        joined = {n: self.needs.get(n, _NOTHING) | other.needs.get(n, _NOTHING) for n in names}
        return _State(joined, self.done | other.done)

    def copy(self) -> _State:
        return _State(dict(self.needs), self.done)


class TokenOrder:
    """The operations of one function with their dependences."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.operations = {
            bound.call.span: operation
            for bound in function.calls()
            if (operation := token_operation(function, bound)) is not None
        }
        self._results: dict[ir.Span, Needs] = {}
        self._entries: dict[int, _State] = {0: _State({}, _NOTHING)}
        self._found: dict[ir.Span, Unordered] = {}

    def unordered(self) -> list[Unordered]:
        """The operations that nothing orders after an earlier one."""
        if not self.operations or serves_several_generations(self.function):
            return []
        self._solve()
        for index in sorted(self._entries):
            self._pass(index, report=True)
        return [self._found[span] for span in sorted(self._found)]

    def threads_tokens(self) -> bool:
        """Whether a named token is passed to some operation."""
        return any(
            isinstance(_token(bound.call), (ir.Name, ir.Attribute, ir.Subscript))
            for bound in self.function.calls()
            if bound.call.span in self.operations
        )

    def _solve(self) -> None:
        pending = [0]
        while pending:
            index = pending.pop(0)
            state = self._pass(index, report=False)
            for target in self.function.ir.blocks[index].successors:
                known = self._entries.get(target)
                joined = state if known is None else known.join(state)
                if known is None or joined != known:
                    self._entries[target] = joined.copy()
                    if target not in pending:
                        pending.append(target)

    def _pass(self, index: int, report: bool) -> _State:
        state = self._entries[index].copy()
        self._results = {}
        for step in self.function.ir.blocks[index].steps:
            match step:
                case ir.Evaluate(expression=ir.Call() as call) if call.span in self.operations:
                    self._operation(call, state, report)
                case ir.Assign(targets=targets, value=value) if value is not None:
                    needs = self._needs(value, state)
                    for target in targets:
                        self._bind(target, needs, state)
                case ir.AugmentedAssign(target=target, value=value):
                    self._bind(target, self._needs(target, state) | self._needs(value, state), state)
        return state

    def _operation(self, call: ir.Call, state: _State, report: bool) -> None:
        needs: Needs = frozenset().union(*(self._needs(argument.value, state) for argument in call.args))
        overtaken = state.done - needs
        for behind in needs:  # one gap, one finding: the operations that an earlier one overtakes are already reported
            overtaken -= frozenset(self._found[behind].overtaken if behind in self._found else ())
        if overtaken and report:
            self._found.setdefault(call.span, self._describe(call, state, overtaken))
        self._results[call.span] = needs | {call.span}
        state.done = state.done | {call.span}

    def _describe(self, call: ir.Call, state: _State, overtaken: Needs) -> Unordered:
        token = _token(call)
        gap = Gap.NO_TOKEN
        if token is not None and not ir.is_none(token):
            taken_before = {ir.dotted(t) for t in map(_token, self._calls_at(overtaken)) if t is not None}
            fresh = isinstance(token, ir.Call) or self._is_made_here(token, state)
            fresh = (fresh and ir.dotted(token) not in taken_before) or call.span in overtaken
            gap = Gap.NEW_TOKEN if fresh else Gap.OLD_TOKEN
        return Unordered(self.function, call, self.operations[call.span], gap, tuple(sorted(overtaken)), token)

    def _calls_at(self, spans: Needs) -> list[ir.Call]:
        return [bound.call for bound in self.function.calls() if bound.call.span in spans]

    def _is_made_here(self, token: ir.Expression, state: _State) -> bool:
        """Whether the name passed as token is bound to a fresh token."""
        name = ir.dotted(token)
        made = False
        for step in self.function.ir.steps():
            if isinstance(step, ir.Assign) and any(ir.dotted(target) == name for target in step.targets):
                entity = None
                if isinstance(step.value, ir.Call):
                    bound = self.function.bound(step.value)
                    entity = bound.callee.entity if bound is not None else None
                made = made or (isinstance(entity, Named) and entity.dotted in CREATE_TOKEN)
        return made and not self._needs(token, state)

    def _bind(self, target: ir.Expression, needs: Needs, state: _State) -> None:
        for name in written_names(target):
            state.needs[name.id] = needs
        for part in ir.walk(target):
            if isinstance(part, (ir.Attribute, ir.Subscript)):
                place = place_of(part)
                if place is not None:
                    old = state.needs.get(place, _NOTHING) if isinstance(part, ir.Subscript) else _NOTHING
                    state.needs[place] = needs | old

    def _needs(self, expression: ir.Expression, state: _State) -> Needs:
        found: set[ir.Span] = set()
        stack: list[ir.Expression] = [expression]
        while stack:
            node = stack.pop()
            if isinstance(node, ir.Call) and node.span in self._results:
                found |= self._results[node.span]
                continue
            place = ir.dotted(node)
            if place is not None:
                found |= state.needs.get(place, _NOTHING) | state.needs.get(place.partition(".")[0], _NOTHING)
            if isinstance(node, ir.Lambda):
                for free in self._free_names(node):
                    found |= state.needs.get(free, _NOTHING)
            stack.extend(ir.children(node))
        return frozenset(found)

    def _free_names(self, node: ir.Lambda) -> Iterator[str]:
        for block in self.function.module.functions[node.function].blocks:
            for expression in terminator_expressions(block):
                yield from (name.id for name in ir.walk(expression) if isinstance(name, ir.Name))


def _token(call: ir.Call) -> ir.Expression | None:
    return next((argument.value for argument in call.args if argument.keyword == "token"), None)


@dataclass(frozen=True, slots=True)
class PairUse:
    """An (array, token) pair that is used as if it were the array; ``made`` is the call that returned it."""

    function: Function
    span: ir.Span
    name: str
    made: ir.Span
    operation: Operation
    kind: str = "pair"

    @property
    def place(self) -> Place:
        """The use."""
        return Place(self.function.module, self.span)

    @property
    def confidence(self) -> Confidence:
        """High: the name always holds such a pair."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """Where the pair comes from."""
        yield Step(self.function.module, self.made, "returns (array, token)")


def pairs_used_as_arrays(function: Function) -> list[PairUse]:
    """The first such use of each name that always holds the whole result of an operation."""
    operations = {
        bound.call.span: operation
        for bound in function.calls()
        if (operation := token_operation(function, bound)) is not None and returns_array(operation)
    }
    if not operations or serves_several_generations(function):
        return []
    found: list[PairUse] = []
    for name, made in _whole_results(function, operations).items():
        if not is_told_apart(function, name):
            use = next((span for span in _array_uses(function, name) if span[0] > made[0]), None)
            if use is not None:
                found.append(PairUse(function, use, name, made, operations[made]))
    return found


def _whole_results(function: Function, operations: dict[ir.Span, Operation]) -> dict[str, ir.Span]:
    """Names that only such calls bind, with the first of the calls."""
    found: dict[str, ir.Span] = {}
    other = {parameter.name for parameter in function.ir.parameters} | function.ir.globals | function.ir.nonlocals
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=(ir.Name(id=name),), value=ir.Call(span=span)) if span in operations:
                found.setdefault(name, span)
            case ir.Assign(targets=targets):
                other |= {node.id for target in targets for node in written_names(target)}
            case ir.AugmentedAssign(target=ir.Name(id=name)):
                other.add(name)
            case ir.Import(names=names):
                other |= {imported.bound for imported in names}
    return {name: span for name, span in found.items() if name not in other}


def _array_uses(function: Function, name: str) -> list[ir.Span]:
    """Uses that are valid only for an array: arithmetic, methods, arguments of array functions."""
    found: set[ir.Span] = set()
    for block in function.ir.blocks:
        for step in block.steps:
            for expression in expressions_read(step):
                found.update(_array_uses_in(function, expression, name))
        for expression in terminator_expressions(block):
            found.update(_array_uses_in(function, expression, name))
    return sorted(found)


def _array_uses_in(function: Function, expression: ir.Expression, name: str) -> Iterator[ir.Span]:
    for node in ir.walk(expression):
        match node:
            case ir.BinaryOperation(operator=operator, left=left, right=right):
                joined = operator == "+" and (isinstance(left, ir.Collection) or isinstance(right, ir.Collection))
                if not joined and (_is(left, name) or _is(right, name)):
                    yield node.span
            case ir.UnaryOperation(operator="-", operand=operand) if _is(operand, name):
                yield node.span
            case ir.Attribute(value=value, attr=attr) if _is(value, name) and attr not in ("count", "index"):
                yield node.span
            case ir.Call(args=args) if args and _is(args[0].value, name) and not args[0].star:
                bound = function.bound(node)
                dotted = bound.dotted if bound is not None else None
                if dotted is not None and dotted.startswith((f"{NUMPY_PACKAGE}.", LIBRARY)) and "tree" not in dotted:
                    yield node.span


def _is(expression: ir.Expression, name: str) -> bool:
    return isinstance(expression, ir.Name) and expression.id == name


def unthreaded_tokens(function: Function) -> Iterator[Unordered | PairUse]:
    """Unordered operations, then pairs used as arrays, in a function for the old interface."""
    if not takes_tokens(function.project):
        return
    order = TokenOrder(function)
    matters = order.operations and tokens_decide_the_order(function.project)
    if matters and (order.threads_tokens() or function.project.traced.trace_of(function) is not None):
        yield from order.unordered()
    yield from pairs_used_as_arrays(function)
