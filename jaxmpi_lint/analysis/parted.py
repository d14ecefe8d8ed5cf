"""What holds wherever processes really part: the group has several, and an owner that one of them is exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.branch_tests import without_not
from jaxmpi_lint.analysis.comparisons import COMPARISONS
from jaxmpi_lint.analysis.narrowing import single_process
from jaxmpi_lint.analysis.values import RankOf, Uniformity

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.function import FunctionModel


class Parted:
    """Decides later tests of one function, given that its processes have not all taken the same side of a branch."""

    def __init__(self, function: FunctionModel, block: int, parting: Uniformity) -> None:
        self._function = function
        self._groups = parting.groups
        terminator = function.ir.blocks[block].terminator
        assert isinstance(terminator, ir.Branch)
        self._owner = _owner(function, block, terminator.test)

    def decide(self, block: int) -> bool | None:
        """The outcome of the branch that ends ``block``, if it is settled."""
        terminator = self._function.ir.blocks[block].terminator
        assert isinstance(terminator, ir.Branch)
        return self._decide(block, terminator.test)

    def _decide(self, block: int, test: ir.Expression) -> bool | None:
        if isinstance(test, ir.UnaryOperation) and test.operator == "not":
            outcome = self._decide(block, test.operand)
            return None if outcome is None else not outcome
        if isinstance(test, ir.BooleanOperation):
            outcomes = [self._decide(block, operand) for operand in test.operands]
            absorbing = test.operator == "or"
            if absorbing in outcomes:
                return absorbing
            return None if None in outcomes else not absorbing
        exists = self._owner_exists(test)
        return self._several(block, test) if exists is None else exists

    def _several(self, block: int, test: ir.Expression) -> bool | None:
        """A test whose one outcome would leave one process has the other."""
        env = self._function.flow.environment_before(block, None)
        for truth in (True, False):
            alone = single_process(self._function.evaluator, test, truth, env)
            if alone is not None and alone & self._groups:
                return not truth
        return None

    def _owner_exists(self, test: ir.Expression) -> bool | None:
        """Somebody's rank was equal to it: it is a number of 0 or more."""
        if self._owner is None or not isinstance(test, ir.Comparison) or len(test.operators) != 1:
            return None
        left, right = test.operands
        operator = test.operators[0]
        if _text(self._function, left) != self._owner:
            return None
        match right:
            case ir.Constant(value=None) if operator in ("is", "is not", "==", "!="):
                return operator in ("is not", "!=")
            case ir.UnaryOperation(operator="-", operand=ir.Constant(value=int())):
                outcomes = {COMPARISONS[operator](rank, -1) for rank in (0, 1)} if operator in COMPARISONS else set()
                return outcomes.pop() if len(outcomes) == 1 else None
        return None


def _owner(function: FunctionModel, block: int, test: ir.Expression) -> str | None:
    """What a rank is compared with, if it is a name that is not known to differ itself."""
    test = without_not(test)
    if not isinstance(test, ir.Comparison) or test.operators not in (("==",), ("!=",)):
        return None
    env = function.flow.environment_before(block, None)
    for rank, other in (test.operands, test.operands[::-1]):
        is_rank = isinstance(function.value(rank, env).entity, RankOf)
        if is_rank and ir.dotted(other) is not None and not function.value(other, env).content.level.diverges:
            return _text(function, other)
    return None


def _text(function: FunctionModel, expression: ir.Expression) -> str:
    return " ".join(function.module.source(expression.span).split())
