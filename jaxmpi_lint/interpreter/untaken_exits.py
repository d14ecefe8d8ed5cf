"""Exits of sampled loops that no sampled pass takes: a pass that is left out may take them.

``for k in range(3000): if k == wanted: break`` runs its first passes and the last one only; what follows must not be
reported as if nothing had been found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import tested_items

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

UNTAKEN = "exits that are left out"
"""The note of a world in which a sampled loop has ended without an exit that one of its passes may have taken."""

_IN_EXPRESSIONS = frozenset({"and", "or", "conditional"})


def note(rank: Rank, frame: Frame, header: int, branch: ir.Branch, is_tested: bool) -> None:
    """Note in the world that a sampled loop has run to its end past a known test that could have ended it.

    ``is_tested`` if the passes with the items that tests name were run.
    """
    outcomes: dict[int, set[bool]] = {}
    for turn in rank.turns:
        if turn.frame is frame and turn.branch is not None and ir.contains(branch.extent, turn.branch.span):
            if turn.asked:
                outcomes.setdefault(turn.key[1], set()).update((True, False))
            outcomes.setdefault(turn.key[1], set()).add(turn.outcome)
    for block, taken in outcomes.items():
        test = frame.function.blocks[block].terminator
        if len(taken) == 1 and block != header and isinstance(test, ir.Branch) and test.kind not in _IN_EXPRESSIONS:
            if is_tested and tested_items.wanted(frame, test.test, branch) is not None:
                continue  # no pass of the loop has this item
            other = test.when_false if taken == {True} else test.when_true
            if _leaves(frame.function, other, header, branch.extent):
                rank.world.notes[UNTAKEN] = True


def can_be_left(frame: Frame, header: int, branch: ir.Branch) -> bool:
    """Whether a ``for`` loop has a way out before its last item."""
    return branch.kind == "for" and _leaves(frame.function, branch.when_true, header, branch.extent)


def _leaves(function: ir.Function, start: int, header: int, extent: ir.Span) -> bool:
    """Whether a path from a block leaves the text of a loop before its next pass."""
    seen, todo = {header}, [start]
    while todo:
        index = todo.pop()
        if index in seen:
            continue
        seen.add(index)
        terminator = function.blocks[index].terminator
        if not ir.contains(extent, terminator.span) or isinstance(terminator, (ir.Return, ir.Raise)):
            return True
        if isinstance(terminator, ir.Jump):
            todo.append(terminator.target)
        elif isinstance(terminator, ir.Branch):
            todo += [terminator.when_true, terminator.when_false]
    return False
