"""mpi4jax calls written for the releases before 0.8: the token they take, and the use of their result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.checks.mpi4jax.mpi4jax_versions import (
    first_generation,
    inside_version_test,
    is_told_apart,
    returns_array,
    serves_several_generations,
    token_operation,
)
from jaxmpi_lint.checks.mpi4jax.name_scopes import Scope
from jaxmpi_lint.library.model import Operation
from jaxmpi_lint.library.mpi.mpi4jax_functions import STACKED

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_DISPLAYS = frozenset({"array", "asarray", "stack", "hstack", "concatenate", "vstack"})


class Taking(StrEnum):
    """How a statement uses the result of an operation."""

    DISCARDED = "discarded"
    UNPACKED = "unpacked"  # y, token = op(...)
    NAMED = "named"  # res = op(...)
    INDEXED = "indexed"  # op(...)[0]
    RETURNED = "returned"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Consumption:
    """How the result of a call is used: the step, and its targets or subscript."""

    taking: Taking
    span: ir.Span
    targets: tuple[ir.Expression, ...] = ()
    subscript: ir.Subscript | None = None


@dataclass(frozen=True, slots=True)
class TokenCall:
    """One call of an operation that took tokens; ``token`` is the argument that passes one."""

    function: Function
    call: ir.Call
    operation: Operation
    spelling: str
    token: ir.Argument | None
    taken: Consumption

    @property
    def yields_array(self) -> bool:
        """Whether the result is an array (formerly with a token), not only a token."""
        return returns_array(self.operation)

    @property
    def is_of_first_generation(self) -> bool:
        """Whether the name or a positional argument belongs to the releases before 0.3."""
        return self.spelling != self.spelling.lower() or _passes_too_many(self)

    @property
    def pairs(self) -> tuple[ir.Collection, ...]:
        """The targets that unpack the result in two."""
        return tuple(t for t in self.taken.targets if is_pair(t))  # type: ignore[misc]


@dataclass(slots=True)
class TokenStyle:
    """The calls of one function, and its names that hold tokens or whole results."""

    function: Function
    scope: Scope
    calls: list[TokenCall] = field(default_factory=list)

    @property
    def passed(self) -> frozenset[str]:
        """Names that are passed as tokens."""
        values = (call.token.value for call in self.calls if call.token is not None)
        return frozenset(value.id for value in values if isinstance(value, ir.Name))

    def is_token(self, target: ir.Expression) -> bool:
        """Whether a name is intended to hold a token, or is ignored."""
        name = (ir.dotted(target) or "").rpartition(".")[2]
        return name in self.passed or "tok" in name.lower() or (name != "" and not name.strip("_"))

    def results(self, name: str) -> list[TokenCall] | None:
        """The calls that bind a name; None if something else also binds it."""
        steps = self.scope.stores(name)
        by_span = {call.taken.span: call for call in self.calls if call.taken.taking is Taking.NAMED}
        if not steps or any(step.span not in by_span or len(step.targets) != 1 for step in steps):
            return None
        return [by_span[span] for span in dict.fromkeys(step.span for step in steps)]

    def unpacked_later(self, name: str) -> bool:
        """Whether a whole result is unpacked like an (array, token) pair."""
        for step in self.function.ir.steps():
            match step:
                case ir.Assign(targets=targets, value=ir.Name(id=read)) if read == name:
                    if any(is_pair(t) and self.is_token(t.elements[1]) for t in targets):  # type: ignore[attr-defined]
                        return True
                case ir.Assign(targets=targets, value=ir.Subscript() as item) if _item(item, name) == 1:
                    if any(self.is_token(target) for target in targets):
                        return True
        return any(
            call.token is not None
            and isinstance(call.token.value, ir.Subscript)
            and _item(call.token.value, name) in (1, -1)
            for call in self.calls
        )

    def old(self) -> list[tuple[TokenCall, str]]:
        """The calls that are written for tokens, with the evidence."""
        found = [(call, reason) for call in self.calls if (reason := self._sign(call)) is not None]
        if found:
            known = {call.call.span for call, _ in found}
            found += [(c, "first") for c in self.calls if c.call.span not in known and self._takes_first(c)]
        return sorted(found, key=lambda pair: pair[0].call.span)

    def _sign(self, call: TokenCall) -> str | None:
        if call.token is not None:
            return "token"
        if call.spelling != call.spelling.lower() and isinstance(call.call.func, ir.Attribute):
            return "name"
        if _passes_too_many(call):
            return "position"
        if call.yields_array:
            if any(self.is_token(pair.elements[1]) for pair in call.pairs):
                return None if _has_two_rows(call) else "pair"
            named = [target.id for target in call.taken.targets if isinstance(target, ir.Name)]
            if call.taken.taking is Taking.NAMED and any(self.unpacked_later(name) for name in named):
                return None if any(is_told_apart(self.function, name) for name in named) else "pair"
            return None
        names = [t for t in call.taken.targets if isinstance(t, ir.Name) and t.id.strip("_")]
        return "returned token" if any(self.is_token(name) for name in names) else None

    def _takes_first(self, call: TokenCall) -> bool:
        """``op(...)[0]`` next to calls written for tokens; an operation that stacks results has a first row."""
        return call.taken.taking is Taking.INDEXED and call.yields_array and call.operation.method not in STACKED


def _passes_too_many(call: TokenCall) -> bool:
    """Whether an argument is positional that must be a keyword argument since mpi4jax 0.3."""
    if call.spelling != call.spelling.lower() or "*" not in call.operation.parameters:
        return False
    positional = [a for a in call.call.args if a.keyword is None and not a.star]
    return len(positional) > call.operation.parameters.index("*")


def is_pair(target: ir.Expression) -> bool:
    """Whether an assignment to a target unpacks exactly two values."""
    return (
        isinstance(target, ir.Collection)
        and len(target.elements) == 2
        and not any(isinstance(element, ir.Starred) for element in target.elements)
    )


def _item(subscript: ir.Subscript, name: str) -> int | None:
    """The constant index of an item of a name."""
    if isinstance(subscript.value, ir.Name) and subscript.value.id == name:
        return constant_index(subscript)
    return None


def constant_index(subscript: ir.Subscript) -> int | None:
    """The index if it is an integer literal, signed or not."""
    match subscript.index:
        case ir.Constant(value=int() as index):
            return index
        case ir.UnaryOperation(operator="-", operand=ir.Constant(value=int() as index)):
            return -index
    return None


def _has_two_rows(call: TokenCall) -> bool:
    """Whether the communicated array provably consists of two parts, so that it can be unpacked into two names."""
    argument = call.call.args[0].value if call.call.args else None
    while isinstance(argument, ir.Call) and (ir.dotted(argument.func) or "").rpartition(".")[2] in _DISPLAYS:
        argument = argument.args[0].value if argument.args else None
    return isinstance(argument, ir.Collection) and len(argument.elements) == 2


def token_style(function: Function) -> TokenStyle | None:
    """The calls in a function that took tokens; None if there are none, or it supports several generations."""
    named = function.calls_by_callee.get(Named, ())
    bound = {b.call.span: (b, operation) for b in named if (operation := token_operation(function, b))}
    if not bound or serves_several_generations(function):
        return None
    style = TokenStyle(function, Scope(function))
    consumptions = dict(_consumptions(function.ir))
    for span, (call, operation) in bound.items():
        if function.ir.kind == "module" and inside_version_test(function, span):
            continue
        entity = call.callee.entity
        assert isinstance(entity, Named)
        taken = consumptions.get(span, Consumption(Taking.OTHER, span))
        token = _token_argument(function, call.call, operation)
        spelling = entity.dotted.rpartition(".")[2]
        style.calls.append(TokenCall(function, call.call, operation, spelling, token, taken))
    return style


def _token_argument(function: Function, call: ir.Call, operation: Operation) -> ir.Argument | None:
    position = first_generation(function, operation).position("token")
    for index, argument in enumerate(call.args):
        if argument.keyword == "token" or (index == position and argument.keyword is None):
            return argument
        if argument.star:
            position = None
    return None


def _consumptions(function: ir.Function) -> Iterator[tuple[ir.Span, Consumption]]:
    """For each call, the use of its result."""
    for block in function.blocks:
        for step in block.steps:
            for expression in expressions_read(step):
                yield from _indexed(expression)
        for expression in terminator_expressions(block):
            yield from _indexed(expression)
    for block in function.blocks:
        for step in block.steps:
            match step:
                case ir.Discard(span=span, value=ir.Call() as call):
                    yield call.span, Consumption(Taking.DISCARDED, span)
                case ir.Assign(span=span, targets=targets, value=value) if value is not None:
                    yield from _assigned(span, targets, value)
        match block.terminator:
            case ir.Return(span=span, value=ir.Call() as call) if function.kind != "lambda":
                yield call.span, Consumption(Taking.RETURNED, span)


def _indexed(expression: ir.Expression) -> Iterator[tuple[ir.Span, Consumption]]:
    again: set[ir.Span] = set()
    for node in ir.walk(expression):
        match node:
            case ir.Subscript(value=ir.Subscript(value=ir.Call() as call)):
                again.add(call.span)
            case ir.Subscript(value=ir.Call() as call) if constant_index(node) == 0 and call.span not in again:
                yield call.span, Consumption(Taking.INDEXED, node.span, (), node)


def _assigned(
    span: ir.Span, targets: tuple[ir.Expression, ...], value: ir.Expression
) -> Iterator[tuple[ir.Span, Consumption]]:
    if isinstance(value, ir.Call):
        taking = Taking.OTHER
        if all(is_pair(target) for target in targets):
            taking = Taking.UNPACKED
        elif len(targets) == 1 and isinstance(targets[0], (ir.Name, ir.Attribute)):
            taking = Taking.NAMED
        yield value.span, Consumption(taking, span, targets)
    elif isinstance(value, ir.Collection):
        for index, element in enumerate(value.elements):
            parts = [t.elements[index] for t in targets if _matches(t, value)]  # type: ignore[attr-defined]
            if isinstance(element, ir.Call) and len(parts) == len(targets):
                unpacked = all(is_pair(part) for part in parts)
                yield element.span, Consumption(Taking.UNPACKED if unpacked else Taking.OTHER, span, tuple(parts))


def _matches(target: ir.Expression, value: ir.Collection) -> bool:
    return isinstance(target, ir.Collection) and len(target.elements) == len(value.elements)
