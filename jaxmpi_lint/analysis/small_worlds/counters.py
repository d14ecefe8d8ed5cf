"""Loops with a statically known trip count: over ``range(2)``, or with a counter as in ``n += 1``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.conditions.rank_facts import COMPARISONS
from jaxmpi_lint.analysis.lattice.lattice import Literal

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_FEW = 8

OutcomeSequence = tuple[bool, ...]  # what a test says, time after time
Loop = tuple[int, ir.Branch]  # the block of the header, and its branch


@dataclass(frozen=True, slots=True)
class Counter:
    """A name that each iteration of a loop increases by ``step``, before or after the test that reads it.

    It is ``regular`` if it is reset whenever the loop is entered, and is tested as often as it is increased.
    """

    start: int
    step: int
    is_counted_first: bool
    is_regular: bool

    def values(self, passes: int) -> list[int]:
        """What the test reads in the first passes."""
        first = self.start + self.step * self.is_counted_first
        return [first + self.step * number for number in range(passes)]


def outcome_sequence(function: Function, block: int, branch: ir.Branch) -> OutcomeSequence | None:
    """The outcomes of a test in successive iterations after its loop is entered, if the trip count is constant."""
    match branch.test:
        case ir.Element(iterable=ir.Call(func=ir.Name(id="range"), args=(ir.Argument(value=count),))):
            number = function.value(count, function.flow.environment_before(block, None)).entity
            if isinstance(number, Literal) and isinstance(number.value, int) and 0 <= number.value <= _FEW:
                return (True,) * number.value + (False,)
        case ir.Comparison(operands=(ir.Name(id=name), ir.Constant(value=int(limit))), operators=(sign,)):
            inside = function.loops_around(branch.span)
            if not inside or inside[0][1].kind != "while" or sign not in COMPARISONS:
                return None
            counter = counter_of(function, name, block, (inside[0][0].index, inside[0][1]))
            if counter is None or not counter.is_regular:
                return None
            outcomes = [COMPARISONS[sign](value, limit) for value in counter.values(_FEW + 1)]
            changes = next((n for n, outcome in enumerate(outcomes) if outcome != outcomes[0]), None)
            return tuple(outcomes[: changes + 1]) if changes is not None else None
    return None


def counter_of(function: Function, name: str, test: int, loop: Loop) -> Counter | None:
    """What a name counts at a test in a loop; None if it is no counter of this loop."""
    bound = list(bindings(function, name))
    if len(bound) != 2 or any(parameter.name == name for parameter in function.ir.parameters):
        return None
    (_, first), (block, second) = bound
    header, branch = loop
    start, step = constant_of(first), _increment(second, name)
    inside = branch.extent[0] <= second.span[0] < branch.extent[1]
    if start is None or step is None or not inside or branch.extent[0] <= first.span[0]:
        return None
    graph = function.graph
    if block in {b for after in graph.successors[block] for b in graph.reachable(after, header)}:
        return None  # more than once in a pass
    around = [loop for _, loop in function.loops_around(first.span)]
    is_anew = around == [loop for _, loop in function.loops_around(second.span)[1:]]
    if block == test:
        return Counter(start, step, True, is_anew)
    if test != header and test not in graph.reachable(branch.when_true, block):
        untested = {b for after in graph.successors[block] for b in graph.reachable(after, test)}
        return Counter(start, step, True, is_anew and header not in untested)
    always = header not in graph.reachable(branch.when_true, block)
    tested_first = test == header or block not in graph.reachable(branch.when_true, test)
    return Counter(start, step, False, is_anew) if always and tested_first else None


def bindings(function: Function, name: str) -> Iterator[tuple[int, ir.Step]]:
    """The steps that bind a name, in the order of the text."""
    found = {
        step.span: (block.index, step)
        for block in function.ir.blocks
        for step in block.steps
        if name in names_bound(step)
    }
    yield from (found[span] for span in sorted(found))


def constant_of(step: ir.Step) -> int | None:
    """The number that a step gives to one name alone."""
    match step:
        case ir.Assign(targets=(ir.Name(),), value=ir.Constant(value=int(value))):
            return value
    return None


def _increment(step: ir.Step, name: str) -> int | None:
    """By how much a step makes a counter larger."""
    match step:
        case ir.AugmentedAssign(operator="+", value=ir.Constant(value=int(value))):
            return value
        case ir.Assign(
            targets=(ir.Name(),),
            value=ir.BinaryOperation(operator="+", left=ir.Name(id=read), right=ir.Constant(value=int(value))),
        ) if read == name:
            return value
    return None
