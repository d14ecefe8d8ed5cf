"""Facts that hold wherever processes diverge: the group has more than one process, and an equal rank is valid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import without_not
from jaxmpi_lint.analysis.conditions.rank_facts import COMPARISONS
from jaxmpi_lint.analysis.conditions.three_valued import decide
from jaxmpi_lint.analysis.lattice.lattice import RankOf
from jaxmpi_lint.analysis.uniformity.narrowing import leaves_one

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class Several:
    """Decides later tests of one function, given that its processes have not all taken the same side of a branch."""

    def __init__(self, function: Function, block: int, branch: ir.Branch, groups: frozenset[str]) -> None:
        """The branch ends ``block`` and parts the processes of ``groups``."""
        self._function = function
        self._groups = groups
        self._owner = _owner(function, block, branch.test)

    def decide_test(self, block: int, test: ir.Expression) -> bool | None:
        """The outcome of a test at the end of ``block``, if it is settled."""
        outcome = decide(test, self._of_owner)
        if outcome is not None:
            return outcome
        env = self._function.flow.environment_before(block, None)
        for truth in (True, False):
            if leaves_one(self._function.evaluator, test, truth, env, self._groups):
                return not truth
        return None

    def _of_owner(self, test: ir.Expression) -> bool | None:
        """The value is equal to the rank of some process: it is a number of 0 or more."""
        if not isinstance(test, ir.Comparison) or len(test.operators) != 1 or self._owner is None:
            return None
        (left, right), operator = test.operands, test.operators[0]
        if _text(self._function, left) != self._owner:
            return None
        if ir.is_none(right) and operator in ("is", "is not", "==", "!="):
            return operator in ("is not", "!=")
        number = _not_positive(right)
        if number is None or operator not in COMPARISONS:
            return None
        outcomes = {COMPARISONS[operator](rank, number) for rank in (0, 1)}
        return outcomes.pop() if len(outcomes) == 1 else None


def _not_positive(expression: ir.Expression) -> int | None:
    """A number that no rank is less than."""
    match expression:
        case ir.Constant(value=int() as number) if number <= 0:
            return number
        case ir.UnaryOperation(operator="-", operand=ir.Constant(value=int() as number)):
            return -number
    return None


def _owner(function: Function, block: int, test: ir.Expression) -> str | None:
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


def _text(function: Function, expression: ir.Expression) -> str:
    return function.module.line(expression.span)
