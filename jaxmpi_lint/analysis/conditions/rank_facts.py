"""Facts on one side of a branch, which decide later tests of the same condition or the same rank."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.three_valued import decide
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Literal, RankOf, Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The comparison operators of Python on numbers."""

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class RankFact:
    """The rank in a communicator is (or is not) a known number."""

    communicator: Communicator
    number: int
    equal: bool

    def decide(self, operator: str, number: int) -> bool | None:
        """The truth of ``rank operator number``, if the fact determines it; ranks are never negative."""
        if self.equal:
            return COMPARISONS[operator](self.number, number)
        if number == self.number and operator in ("==", "!="):
            return operator == "!="
        if self.number == 0:
            if operator in (">", ">=") and number == (0 if operator == ">" else 1):
                return True
            if operator in ("<", "<=") and number == (1 if operator == "<" else 0):
                return False
        return None


@dataclass(frozen=True, slots=True)
class RankTest:
    """A test that compares a rank with a number."""

    communicator: Communicator
    operator: str
    number: int

    def fact(self, truth: bool) -> RankFact | None:
        """The fact about the rank that an outcome of the test implies."""
        operator = self.operator if truth else _NEGATED[self.operator]
        if operator in ("==", "!="):
            return RankFact(self.communicator, self.number, operator == "==")
        if (operator, self.number) in ((">", 0), (">=", 1)):
            return RankFact(self.communicator, 0, False)
        if (operator, self.number) in (("<", 1), ("<=", 0)):
            return RankFact(self.communicator, 0, True)
        return None


_POSITIVE = {"!=": "==", ">=": "<", "<=": ">", "is not": "is", "not in": "in"}
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Assumption:
    """One outcome of a branch (or of a part of its test), and the outcomes of other tests that follow."""

    def __init__(self, function: Function, block: int, truth: bool, part: ir.Expression | None = None) -> None:
        self._function = function
        test, truth = ir.strip_not(part or _branch(function, block).test, truth)
        self._text, positive = positive_form(function, test)
        self._truth = truth == positive
        rank_test = rank_test_of(function, block, test)
        self.fact = rank_test.fact(truth) if rank_test is not None else None

    def decide(self, block: int) -> bool | None:
        """The outcome of the branch that ends ``block``, if the assumption determines it."""
        return self.decide_test(block, _branch(self._function, block).test)

    def decide_test(self, block: int, test: ir.Expression) -> bool | None:
        """The outcome of a test at the end of ``block``, or of a part of it."""
        return decide(test, lambda part: self._known(block, part))

    def _known(self, block: int, part: ir.Expression) -> bool | None:
        """The outcome of a part of a test that follows from the same text or the same rank."""
        text, positive = positive_form(self._function, part)
        if text == self._text and not isinstance(part, (ir.Element, ir.Matches)):
            return self._truth == positive
        if self.fact is None or isinstance(part, ir.BooleanOperation):
            return None
        test = rank_test_of(self._function, block, part)
        if test is None or test.communicator != self.fact.communicator:
            return None
        return self.fact.decide(test.operator, test.number)


def rank_test_of(function: Function, block: int, test: ir.Expression) -> RankTest | None:
    """A test as the comparison of a rank with a number; the bare rank is compared with 0."""
    env = function.flow.environment_before(block, None)
    if isinstance(test, ir.Matches):
        return _rank_case(function, test, env)
    if isinstance(test, ir.Comparison) and len(test.operators) == 1 and test.operators[0] in _MIRRORED:
        left, right = (function.value(operand, env) for operand in test.operands)
        operator = test.operators[0]
        if isinstance(right.entity, RankOf):
            left, right, operator = right, left, _MIRRORED[operator]
        number = _number(right)
        if isinstance(left.entity, RankOf) and number is not None:
            return RankTest(left.entity.communicator, operator, number)
        return None
    entity = function.value(test, env).entity
    return RankTest(entity.communicator, "!=", 0) if isinstance(entity, RankOf) else None


def _rank_case(function: Function, test: ir.Matches, env: Environment) -> RankTest | None:
    """``case 0:`` of a ``match`` on a rank."""
    entity = function.value(test.subject, env).entity
    if not isinstance(entity, RankOf) or len(test.operands) != 1:
        return None
    number = _number(function.value(test.operands[0], env))
    return RankTest(entity.communicator, "==", number) if number is not None else None


def _number(value: Value) -> int | None:
    entity = value.entity
    return entity.value if isinstance(entity, Literal) and type(entity.value) is int else None


def _branch(function: Function, block: int) -> ir.Branch:
    terminator = function.ir.blocks[block].terminator
    assert isinstance(terminator, ir.Branch)
    return terminator


def positive_form(function: Function, test: ir.Expression) -> tuple[str, bool]:
    """The positive text of a test, and whether the test equals it: ``a != b`` negates ``a == b``."""
    if isinstance(test, ir.Comparison) and len(test.operators) == 1:
        left, right = (_text(function, operand) for operand in test.operands)
        operator = test.operators[0]
        return f"{left} {_POSITIVE.get(operator, operator)} {right}", operator not in _POSITIVE
    return _text(function, test), True


def _text(function: Function, expression: ir.Expression) -> str:
    return function.module.line(expression.span)
