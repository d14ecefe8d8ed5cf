"""Loops whose trip counts cannot be compared, since passes of one of them are left out.

One rank runs ``for step in range(1000)``, of which a few passes are followed, another one ``while step < 1000``: the
second one waits for what the first one would have sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.loops import SAMPLED

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import ProcessView as Process
    from jaxmpi_lint.interpreter.interfaces import WorldView as World
    from jaxmpi_lint.interpreter.turns import Turn

_GROWING = frozenset({"append", "appendleft", "add", "extend", "pop", "popleft", "remove", "update", "insert"})


def is_waited_in(process: Process, other: Process, world: World) -> bool:
    """Whether a rank is in a pass of a loop that a count may end, and of which no pass is left out.

    Not if the other rank runs the same loop.
    """
    if process.pending is None:
        return False
    common = {turn.key[:2] for turn in other.rank.turns}
    loops = {turn.key[:2]: turn for turn in process.rank.turns if turn.branch is not None}
    own = [turn for place, turn in loops.items() if place not in common and turn.key not in world.lengths]
    return any(is_inside(process, turn) and _counts(turn) for turn in own)


def is_inside(process: Process, test: Turn) -> bool:
    """Whether a rank is still in the pass of a loop that a test has begun."""
    frame = test.frame
    if test.branch is None or not any(frame is one for one in process.rank.frames):
        return False
    return ir.contains(test.branch.extent, frame.function.blocks[frame.block].terminator.span)


def _counts(turn: Turn) -> bool:
    """Whether a loop ends by what each pass counts or collects, or with the items of a long list or of a generator."""
    assert turn.branch is not None
    function, extent = turn.frame.function, turn.branch.extent
    state = turn.frame.iterators.get(turn.key[1])
    if state is not None:
        made = state.generator
        is_long = len(state.items) > SAMPLED
        return is_long or (made is not None and (made.function is None or _reads_count(made.function.ir, None)))
    if turn.branch.kind != "while":
        return False
    return any(isinstance(node, ir.Call) for node in ir.walk(turn.branch.test)) or _reads_count(function, extent)


def _reads_count(function: ir.Function, extent: ir.Span | None) -> bool:
    """Whether a test, in a part of a function, reads what the part counts."""
    steps = [step for step in function.steps() if extent is None or ir.contains(extent, step.span)]
    counted: set[str] = set()
    while more := {name for step in steps for name in _changed(step, counted)} - counted:
        counted |= more
    tests = [block.terminator for block in function.blocks if isinstance(block.terminator, ir.Branch)]
    read = {name for test in tests if extent is None or ir.contains(extent, test.span) for name in _names(test.test)}
    return not counted.isdisjoint(read)


def _changed(step: ir.Step, counted: set[str]) -> Iterator[str]:
    """The variables and fields that a step increments, puts something into, or computes from what is counted."""
    targets: list[ir.Expression] = []
    if isinstance(step, ir.AugmentedAssign):
        targets = [step.target]
    elif isinstance(step, ir.Assign) and step.value is not None:
        read = _names(step.value)
        targets = [target for target in step.targets if ir.dotted(target) in read or not counted.isdisjoint(read)]
    elif isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
        method = step.expression.func
        targets = [method.value] if isinstance(method, ir.Attribute) and method.attr in _GROWING else []
    yield from (name for name in map(ir.dotted, targets) if name)


def _names(expression: ir.Expression) -> set[str]:
    found = (ir.dotted(node) for node in ir.walk(expression) if isinstance(node, ir.Name | ir.Attribute))
    return {name for name in found if name}
