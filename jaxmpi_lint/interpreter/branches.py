"""Branches of control flow: the outcome of a test, and when loops without a known end are left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import evaluation, loops
from jaxmpi_lint.interpreter.operations import COMPARED
from jaxmpi_lint.interpreter.raised import Raised
from jaxmpi_lint.interpreter.symbols import FEW_PASSES
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.values import Cut, NotMeant

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_IN_EXPRESSIONS = frozenset({"and", "or", "conditional"})
"""Branches whose expression is evaluated when they have been taken."""

MAX_LOOP = 2_000
"""Passes of any loop."""

MAX_ENDLESS = 8
"""Passes of a `while True` loop, after which the tests in it have the outcomes that they do not have by default."""

MAX_WHILE = 4
"""Passes of a loop whose test is a symbol."""


def decide(rank: Rank, frame: Frame, block: ir.Block, branch: ir.Branch) -> int:
    """The block that a rank runs after a branch; the outcome is recorded."""
    rank.asked = []
    rank.state[COMPARED] = False
    visit = frame.visits.get(block.index, 0)
    rank.turn = (frame.path, block.index, visit)
    frame.outcomes.pop(id(branch.test), None)
    if frame.endless is not None and not frame.endless[0] <= branch.span[0] < frame.endless[1]:
        frame.endless = None
    outcome = _outcome(rank, frame, block, branch, visit)
    if branch.kind == "assert" and rank.asked and not outcome:
        raise NotMeant("an assertion that does not hold")
    frame.count(block.index)
    if branch.kind in _IN_EXPRESSIONS:
        frame.outcomes[id(branch.test)] = outcome
    if rank.world.stale is not None:
        rank.world.stale.branch(rank, frame, block.index, outcome)
    turn = Turn(rank.turn, outcome, frame, branch, tuple(rank.asked), len(rank.frames), events=rank.events)
    turn.compares_floats = rank.state[COMPARED]
    rank.turns.append(turn)
    if branch.kind == "assert" and not outcome:
        frame.caught = Raised("AssertionError")
    return branch.when_true if outcome else branch.when_false


def _outcome(rank: Rank, frame: Frame, block: ir.Block, branch: ir.Branch, visit: int) -> bool:
    """The outcome of a test that the frame has made ``visit`` times before."""
    if rank.program.is_declared_uniform(frame.scope.module.ir, branch.span):
        return rank.truth(rank.symbol("declared", frame.scope.module, branch.span, visit))
    if isinstance(branch.test, ir.Element):
        return loops.next_pass(rank, frame, block.index, branch)
    if visit >= MAX_LOOP:
        raise Cut("a loop without a known end")
    if branch.kind == "while" and visit >= MAX_WHILE:
        is_implied = _has_further_pass(rank, frame, branch)
        if rank.asked:
            rank.world.is_bounded = True
            if is_implied and visit == MAX_WHILE:
                frame.endless = branch.extent
            return is_implied and visit < 2 * MAX_ENDLESS
    if branch.kind == "while":
        return _goes_on(rank, frame, block, branch, visit)
    return evaluation.truth(rank, frame, branch.test)


def _goes_on(rank: Rank, frame: Frame, block: ir.Block, branch: ir.Branch, visit: int) -> bool:
    """Whether a ``while`` loop has a further pass; if steps are many, only what decides about it is kept."""
    is_short = rank.world.passes(rank) == FEW_PASSES
    if isinstance(branch.test, ir.Constant) and visit == (2 if is_short else 1) * MAX_ENDLESS:
        rank.world.is_bounded = True
        frame.endless = branch.extent
        return True
    outcome = evaluation.truth(rank, frame, branch.test)
    is_long = outcome and visit - frame.ended.get(block.index, 0) == FEW_PASSES
    rank.world.has_long_loop = rank.world.has_long_loop or is_long
    if is_short and is_long:
        loops.leave_early(rank, frame, block.index, branch)
        outcome = evaluation.truth(rank, frame, branch.test)
    if not outcome:
        frame.ended[block.index] = visit + 1
    return outcome


def _has_further_pass(rank: Rank, frame: Frame, branch: ir.Branch) -> bool:
    """The test of a loop, which does not hold if it depends on a symbol, unless earlier choices imply that it does."""
    around, frame.endless = frame.endless, branch.span
    outcome = evaluation.truth(rank, frame, branch.test)
    frame.endless = around
    return outcome
