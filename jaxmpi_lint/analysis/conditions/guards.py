"""Control dependence of blocks: the guards of a block, and the facts about ranks that they imply."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption, RankFact
from jaxmpi_lint.analysis.lattice.lattice import Value
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_RANK_TEST = re.compile(
    r"rank\b\s*(?:\(\))?\s*(?:==|!=)\s*(?:0|root|self\.root)|is_?(?:root|master)(?:_?node)?\(\)", re.IGNORECASE
)
_PARALLEL = re.compile(r"(?<![a-z])(?:mpi|mpi4py|petsc4py|comm|barrier)(?![a-z])", re.IGNORECASE)
_ROLE_WORDS = re.compile(
    r"(?:^|[^a-z])(?:is_?)?(?:root|master|worker|slave|(?:mpi|my|world|proc|global|local)?_?rank\d*|main|primary|head|"
    r"leader|coordinator|manager|myid|me|process_index|owner)(?![a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Guard:
    """A test that must have one outcome for a block to be reached; ``fact`` is what this implies about the rank."""

    block: int
    branch: ir.Branch
    truth: bool
    test: Value
    fact: RankFact | None
    by_role: bool


class _Guards:
    """The guards of the blocks of one function, computed on demand."""

    def __init__(self, function: Function) -> None:
        self.known: dict[int, list[Guard]] = {}


def guards(function: Function, block: int) -> Sequence[Guard]:
    """The tests that a block is control-dependent on, early exits included."""
    known = function.get(_Guards).known
    if block not in known:
        known[block] = list(_guards(function, block))
    return known[block]


def guards_of_all_ways(function: Function, block: int) -> list[Guard]:
    """The guards that no path to the block avoids."""
    return [guard for guard in guards(function, block) if block not in function.graph.reachable(0, guard.block)]


def _guards(function: Function, block: int) -> Iterator[Guard]:
    reached = _reached(function, block)
    for index, branch, test in function.branches():
        if index.index == block:
            continue
        taken = block in reached(branch.when_true, index.index)
        passed = block in reached(branch.when_false, index.index)
        if taken != passed:
            fact = Assumption(function, index.index, taken).fact
            text = function.module.source(branch.test.span)
            by_role = test.content.level.diverges or names_role(text)
            yield Guard(index.index, branch, taken, test, fact, by_role)


def _reached(function: Function, block: int) -> Callable[[int, int], frozenset[int]]:
    """The paths on which a block lies: those of the graph, or further ones if it is not there."""
    if block in function.graph.reachable(0):
        return function.graph.reachable
    written = _Written(function)
    return (written if block in written.reachable(0, -1) else _Written(function, with_handlers=True)).reachable


@dataclass(frozen=True, slots=True)
class _Written:
    """Control flow with the blocks from which every path raises; the graph of a function leaves them out.

    ``with_handlers`` if it also leads from the blocks of a ``try`` to its handlers.
    """

    function: Function
    with_handlers: bool = False

    def reachable(self, start: int, stop: int) -> frozenset[int]:
        """Blocks on paths from ``start`` up to ``stop``, which is excluded."""
        seen, stack = {start} - {stop}, [start]
        while stack:
            index = stack.pop()
            known = self.function.ir.blocks[index : index + 1]
            new = {target for found in known for target in found.successors}
            new |= {target for found in known if self.with_handlers for target in found.handlers}
            stack += new - seen - {stop}
            seen |= new - {stop}
        return frozenset(seen)


def is_check(function: Function, guard: Guard) -> bool:
    """Whether a guard is a check whose other side always raises, and whose outcome does not depend on the rank."""
    if guard.test.content.level is Level.RANK or guard.branch.kind != "if":
        return False
    start = guard.branch.when_false if guard.truth else guard.branch.when_true
    reached = function.graph.reachable(start) | {start}
    ends = [function.ir.blocks[index] for index in reached if index < len(function.ir.blocks)]
    return all(isinstance(block.terminator, ir.Raise) for block in ends if not block.successors)


def names_role(text: str) -> bool:
    """Whether a text has a word for a rank or a role."""
    return bool(_ROLE_WORDS.search(text))


def tests_rank(text: str) -> bool:
    """Whether a text compares a rank with a number, or asks whether this is the root."""
    return bool(_RANK_TEST.search(text))


def is_rank_test_by_name(function: Function, test: ir.Expression) -> bool:
    """Whether a test asks an unknown object for the rank or the root, as `mpi.is_master_node()` does."""
    test, _ = ir.strip_not(test, truth=True)
    if not isinstance(test, (ir.Comparison, ir.Call)) or not _PARALLEL.search(function.module.text):
        return False
    return tests_rank(function.module.source(test.span))


def exclude_each_other(function: Function, one: int, other: int) -> bool:
    """Whether two blocks are alternatives of one test: no single execution of it reaches both."""
    for index, branch, _ in function.branches():
        yes = function.graph.reachable(branch.when_true, index.index)
        no = function.graph.reachable(branch.when_false, index.index)
        if (one in yes) != (one in no) and (other in yes) != (other in no) and (one in yes) != (other in yes):
            return True
    return False
