"""The value of an expression on one rank of a world of a given size."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound, visible_definitions
from jaxmpi_lint.analysis.conditions.rank_facts import COMPARISONS
from jaxmpi_lint.analysis.conditions.three_valued import joined
from jaxmpi_lint.analysis.lattice.lattice import WORLD, Literal, Named, RankOf, SizeOf
from jaxmpi_lint.analysis.lattice.limits import RANK_VALUE_DEFINITIONS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

NOBODY = -1
"""Stands for MPI.PROC_NULL."""

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}


@dataclass(frozen=True, slots=True)
class Member:
    """One process of a group of ``size`` processes, by default the world.

    ``ancestors`` are groups that the group was made from, where it is taken to hold all of their processes.
    """

    rank: int
    size: int
    groups: frozenset[str] = frozenset({WORLD})
    ancestors: frozenset[str] = frozenset()

    def has_size_of(self, groups: frozenset[str]) -> bool:
        """Whether a group has as many processes as the one of this process."""
        return groups == self.groups or (bool(groups) and groups <= self.ancestors)


class OneRank:
    """Evaluates numbers and tests for one process, as far as they follow from its rank and the number of processes."""

    def __init__(self, member: Member) -> None:
        self._member = member

    def decide(self, function: Function, test: ir.Expression, env: Environment) -> bool | None:
        """The outcome of a test; None if it depends on more. The file that is looked at is the program."""
        if asks_for_program(test):
            return True
        found = self.number(function, test, env)
        return None if found is None else bool(found)

    def number(self, function: Function, expression: ir.Expression, env: Environment, depth: int = 0) -> int | None:
        """An integer or a truth value, or None."""
        if depth > RANK_VALUE_DEFINITIONS:
            return None
        known = self._entity(function, expression, env)
        if known is not None:
            return known
        match expression:
            case ir.Name(id=name):
                found = _only_definition(function, name)
                if found is not None:
                    return self.number(found[0], found[1], _final(found[0], function, env), depth + 1)
            case ir.Call(func=ir.Name(id="min" | "max" as name), args=(_, _, *_) as args) if not expression.has_star:
                return self._extreme(name, [self.number(function, one.value, env, depth + 1) for one in args])
            case ir.Call():
                return self._scattered(function, expression, env)
            case ir.UnaryOperation(operator=sign, operand=operand):
                inner = self.number(function, operand, env, depth + 1)
                return None if inner is None else _signed(sign, inner)
            case ir.BinaryOperation(operator=sign, left=left, right=right) if sign in _ARITHMETIC:
                first, second = (self.number(function, part, env, depth + 1) for part in (left, right))
                if first is None or second is None or (sign in ("//", "%") and second == 0):
                    return None
                return _ARITHMETIC[sign](first, second)
            case ir.Comparison():
                return self._compared(function, expression, env, depth)
            case ir.Conditional(test=test, body=body, orelse=orelse):
                outcome = self.number(function, test, env, depth + 1)
                if outcome is None:
                    return None
                return self.number(function, body if outcome else orelse, env, depth + 1)
            case ir.BooleanOperation(operator=sign, operands=operands):
                parts = [self.number(function, part, env, depth + 1) for part in operands]
                return joined(sign, [None if part is None else bool(part) for part in parts])
        return None

    @staticmethod
    def _extreme(name: str, numbers: list[int | None]) -> int | None:
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers):
            return None
        return min(known) if name == "min" else max(known)

    def _scattered(self, function: Function, call: ir.Call, env: Environment) -> int | None:
        """The rank, where each process gets its own of the numbers of all."""
        bound = function.bound(call) if not function.project.is_running(function) else None
        if bound is None or bound.operation is None or bound.operation.event.lower() != "scatter":
            return None
        if bound.communicator is None or bound.communicator.groups != self._member.groups:
            return None
        match bound.argument(bound.operation.sends[0]) if bound.operation.sends else None:
            case ir.Call(
                func=ir.Name(id="list"), args=(ir.Argument(value=ir.Call(func=ir.Name(id="range"), args=args)),)
            ):
                counts = [self.number(function, argument.value, env) for argument in args]
                return self._member.rank if counts == [self._member.size] else None
        return None

    def _entity(self, function: Function, expression: ir.Expression, env: Environment) -> int | None:
        match function.value(expression, env).entity:
            case RankOf(communicator) if communicator.groups == self._member.groups:
                return self._member.rank
            case SizeOf(communicator) if self._member.has_size_of(communicator.groups):
                return self._member.size
            case Literal(value=bool() | int() as value):
                return value
            case Named("mpi4py.MPI.PROC_NULL"):
                return NOBODY
        return None

    def _compared(self, function: Function, comparison: ir.Comparison, env: Environment, depth: int) -> bool | None:
        outcomes: list[bool | None] = []
        for left, sign, right in zip(comparison.operands, comparison.operators, comparison.operands[1:], strict=False):
            first = self.number(function, left, env, depth + 1)
            if sign in ("in", "not in"):
                members = self._members(function, right, env, depth)
                outcomes.append(None if first is None or members is None else (first in members) is (sign == "in"))
                continue
            second = self.number(function, right, env, depth + 1)
            outcomes.append(
                None if first is None or second is None or sign not in COMPARISONS else COMPARISONS[sign](first, second)
            )
        return joined("and", outcomes)

    def _members(
        self, function: Function, container: ir.Expression, env: Environment, depth: int
    ) -> Container[int] | None:
        """The numbers in a written list or a range, or None."""
        match container:
            case ir.Collection(elements=parts):
                make: Callable[..., Container[int]] = _as_written
            case ir.Call(func=ir.Name(id="range"), args=(_, *_) as args) if not container.has_star:
                make, parts = range, tuple(argument.value for argument in args)
            case _:
                return None
        numbers = [self.number(function, part, env, depth + 1) for part in parts]
        return None if None in numbers or (make is range and numbers[2:] == [0]) else make(*numbers)


def _as_written(*numbers: int) -> tuple[int, ...]:
    return numbers


def _final(scope: Function, function: Function, env: Environment) -> Environment:
    """The values of names at the end of a function; while its data flow is computed, those known so far."""
    if scope.project.is_running(scope):
        return env if scope is function else {}
    return dict(scope.flow.exit)


def _only_definition(function: Function, name: str) -> tuple[Function, ir.Expression] | None:
    """The one value that a name is given, by itself or in ``a, b = c, d``, and the function it is written in."""
    found = visible_definitions(function, name)
    if found is not None:
        return (found[0], found[1][0]) if len(found[1]) == 1 else None
    scope: Function | None = function
    while scope is not None and not scope.is_local(name):
        scope = scope.parent
    scope = scope or function.module_model.body
    if any(parameter.name == name for parameter in scope.ir.parameters):
        return None
    if any(name in other.globals | other.nonlocals for other in function.module.functions.values()):
        return None
    parts = [_part_of(step, name) for step in scope.ir.steps() if name in names_bound(step)]
    return (scope, parts[0]) if len(parts) == 1 and parts[0] is not None else None


def _part_of(step: ir.Step, name: str) -> ir.Expression | None:
    match step:
        case ir.Assign(targets=(ir.Collection(elements=names),), value=ir.Collection(elements=values)):
            if len(names) == len(values):
                return next((v for n, v in zip(names, values, strict=True) if ir.dotted(n) == name), None)
        case ir.Assign(
            targets=(ir.Collection(elements=(quotient, remainder)),),
            value=ir.Call(func=ir.Name(id="divmod"), args=(left, right), span=span),
        ):
            if name in (ir.dotted(quotient), ir.dotted(remainder)):
                sign = "//" if ir.dotted(quotient) == name else "%"
                return ir.BinaryOperation(span, sign, left.value, right.value)
    return None


def _signed(sign: str, value: int) -> int | None:
    return {"not": int(not value), "-": -value, "+": value}.get(sign)


def asks_for_program(test: ir.Expression) -> bool:
    """Whether a test asks if the file is run as a program."""
    match test:
        case ir.Comparison(operands=(ir.Name(id="__name__"), ir.Constant(value="__main__")), operators=("==",)):
            return True
    return False
