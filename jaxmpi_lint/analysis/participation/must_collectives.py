"""Must-analysis: collectives executed on every path from a block, for all outcomes of uniform tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.interfaces import Event, Part, Run, RunConstants
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Literal, Value
from jaxmpi_lint.analysis.lattice.limits import CERTAIN_COLLECTIVE_CALLS, CERTAIN_COLLECTIVE_ROUNDS
from jaxmpi_lint.analysis.lattice.value_queries import is_none
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Operation

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_LOOPS = frozenset({"for", "while", "comprehension"})

Wanted = Callable[[Communicator], bool]
Decision = Callable[[int], bool | None]


@dataclass(frozen=True, slots=True)
class NextCollective:
    """A collective that must be reached: ``at`` is the call in the analysed function, ``span`` its own position."""

    at: ir.Span
    block: int
    operation: Operation
    communicator: Communicator
    module: ir.Module
    span: ir.Span

    @property
    def title(self) -> str:
        """The text for the collective in a message."""
        return f"`{self.operation.method}` on {self.communicator.label}"


class _Outcome(Enum):
    NEVER = "never"  # no path continues: every one of them raises or ends all processes
    MET = "met"
    MISSED = "missed"


class MustCollectives:
    """Search for the next collective that must be reached, on communicators of one kind in one function."""

    def __init__(
        self, function: Function, wanted: Wanted, decide: Decision = lambda block: None, depth: int = 0
    ) -> None:
        self._function = function
        self._wanted = wanted
        self._decide = decide
        self._depth = depth
        self._graph = function.graph
        self._found: dict[int, list[NextCollective]] = {}
        self._next: dict[int, tuple[int, ...]] = {}
        self._tests = {block.index: test for block, _, test in function.branches()}

    def next_from(self, start: int) -> NextCollective | None:
        """The first collective that every path from a block must reach."""
        outcomes = self._solve(start)
        if outcomes.get(start) is not _Outcome.MET:
            return None
        seen, queue = {start}, [start]
        while queue:
            block = queue.pop(0)
            if self.in_block(block) is not None:
                return self.in_block(block)
            for target in self._targets(block):
                if target not in seen and outcomes.get(target) is _Outcome.MET:
                    seen.add(target)
                    queue.append(target)
        return None

    def next_after(self, block: int, span: ir.Span) -> NextCollective | None:
        """The first collective that must be reached once a call in a block has returned."""
        for ahead in self.all_in_block(block):
            if ahead.at[1] > span[1]:
                return ahead
        found = [self.next_from(target) for target in self._targets(block)]
        return found[0] if found and all(found) else None

    def _solve(self, start: int) -> dict[int, _Outcome]:
        order = self._postorder(start)
        outcomes = dict.fromkeys(order, _Outcome.NEVER)
        for _ in range(CERTAIN_COLLECTIVE_ROUNDS):
            before = dict(outcomes)
            for block in order:
                outcomes[block] = self._outcome(block, outcomes)
            if outcomes == before:
                break
        return outcomes

    def _postorder(self, start: int) -> list[int]:
        order: list[int] = []
        seen = {start}
        stack = [(start, iter(self._targets(start)))]
        while stack:
            block, targets = stack[-1]
            target = next((t for t in targets if t not in seen), None)
            if target is None:
                order.append(block)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(self._targets(target))))
        return order

    def _targets(self, block: int) -> tuple[int, ...]:
        if block not in self._next:
            self._next[block] = self._decided_targets(block)
        return self._next[block]

    def _decided_targets(self, block: int) -> tuple[int, ...]:
        targets = self._graph.successors[block]
        branch = self._branch(block)
        truth = self._decide(block) if branch is not None else None
        if truth is None and block in self._tests:
            truth = _constant(self._tests[block])
        if branch is None or truth is None:
            return tuple(self._behind_last_pass(block, target) for target in targets)
        return (branch.when_true if truth else branch.when_false,)

    def _behind_last_pass(self, block: int, header: int) -> int:
        """Where a jump back to the header of a loop over a single element leads: out of the loop."""
        branch = self._branch(header)
        if branch is None or branch.kind != "for" or not isinstance(branch.test, ir.Element):
            return header
        if block not in self._graph.reachable(branch.when_true, header):
            return header
        elements = self._function.value(branch.test.iterable, self._function.flow.environment_before(header, None))
        is_single = elements.elements is not None and len(elements.elements) == 1
        return branch.when_false if is_single else header

    def _outcome(self, block: int, outcomes: dict[int, _Outcome]) -> _Outcome:
        if block == self._graph.exit:
            return _Outcome.MISSED
        if self.in_block(block) is not None:
            return _Outcome.MET
        results = [outcomes[target] for target in self._targets(block)]
        if _Outcome.MET in results and (len(results) == 1 or self._takes_both(block)):
            return _Outcome.MET
        if _Outcome.MISSED in results:
            return _Outcome.MISSED
        return _Outcome.MET if _Outcome.MET in results else _Outcome.NEVER

    def _takes_both(self, block: int) -> bool:
        """Whether a branch is uniform, with different outcomes in different executions.

        A loop that is not known to differ runs at least once in some executions.
        """
        branch, test = self._branch(block), self._tests.get(block)
        if branch is None or test is None:
            return False
        if branch.kind in _LOOPS:
            return not (test.structure.level.diverges or test.content.level is Level.RANK)
        return test.content.level is Level.UNIFORM or self._asks_for_communicator(branch.test, block)

    def _asks_for_communicator(self, test: ir.Expression, block: int) -> bool:
        """Whether a test asks if there is a communicator at all: its outcome is the same on all of its processes."""
        test, _ = ir.strip_not(test)
        if isinstance(test, ir.Comparison) and test.operators[0] in ("is", "is not", "==", "!="):
            other = test.operands[1]
            if not isinstance(other, ir.Constant) or other.value is not None:
                return False
            test = test.operands[0]
        if not isinstance(test, (ir.Name, ir.Attribute)):
            return False
        env = self._function.flow.environment_before(block, None)
        return isinstance(self._function.value(test, env).entity, Communicator)

    def _branch(self, block: int) -> ir.Branch | None:
        terminator = self._function.ir.blocks[block].terminator if block < self._graph.exit else None
        return terminator if isinstance(terminator, ir.Branch) else None

    # --- calls ---

    def in_block(self, block: int) -> NextCollective | None:
        """The first wanted collective in a block."""
        found = self.all_in_block(block)
        return found[0] if found else None

    def all_in_block(self, block: int) -> list[NextCollective]:
        """Every wanted collective in a block, in order."""
        if block not in self._found:
            self._found[block] = []
            if block < self._graph.exit and self._function.flow.entries[block] is not None:
                self._found[block] = list(self._search(block))
        return self._found[block]

    def _search(self, block: int) -> Iterator[NextCollective]:
        for event in self._function.block_events(block):
            found = self._inside(event, block) if event.opaque else self._itself(event, block)
            if found is not None:
                yield found

    def _itself(self, event: Event, block: int) -> NextCollective | None:
        if event.communicator is None or event.operation is None or not self._wanted(event.communicator):
            return None
        return NextCollective(event.span, block, event.operation, event.communicator, self._function.module, event.span)

    def _inside(self, event: Event, block: int) -> NextCollective | None:
        """A collective that a function of the project, called here, must execute."""
        callee = event.callee
        if (
            callee is None
            or callee.part not in (Part.WHOLE, Part.ALL_ITEMS)
            or self._depth >= CERTAIN_COLLECTIVE_CALLS
            or self._function.project.is_running(callee.function)
        ):
            return None
        constants = callee.constants(self._function.constants)
        inner = MustCollectives(
            callee.function,
            lambda formal: self._wanted(callee.rename(formal)),
            lambda index: _settled(constants, callee.function.ir.blocks[index]),
            self._depth + 1,
        ).next_from(0)
        if inner is None:
            return None
        actual = callee.rename(inner.communicator)
        is_same = actual.context == inner.communicator.context
        if _is_formal(actual, callee) and (is_same or _is_left_out(actual, callee)):
            return None  # on a communicator that this call does not pass
        return NextCollective(event.span, block, inner.operation, actual, inner.module, inner.span)


def _is_formal(communicator: Communicator, callee: Run) -> bool:
    path, qualname = callee.key
    return communicator.context.startswith(f"{path}:{qualname}:")


def _is_left_out(communicator: Communicator, callee: Run) -> bool:
    """Whether a call passes None for the parameter that is the communicator: by default, or in so many words.

    The communicators of an object have its construction in their names, so that they are not those of the class.
    """
    parameter = communicator.context.rpartition("#")[0].rpartition(":")[2]
    given = callee.arguments.get(parameter)
    return given is not None and is_none(given)


def _settled(constants: RunConstants, block: ir.Block) -> bool | None:
    return constants.outcome(block.terminator.test) if isinstance(block.terminator, ir.Branch) else None


def _constant(test: Value) -> bool | None:
    return bool(test.entity.value) if isinstance(test.entity, Literal) else None
