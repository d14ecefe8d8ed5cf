"""Files whose absence guards a collective, and that are created before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.analysis.participation.must_collectives import MustCollectives, NextCollective
from jaxmpi_lint.analysis.participation.receiving_loops import receiving_loops
from jaxmpi_lint.analysis.participation.try_statements import spelling
from jaxmpi_lint.checks.base import inner_collective
from jaxmpi_lint.checks.collectives.file_paths import FilePaths, Parts
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionFlow
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class GuardFile:
    """A test for a file, a call that creates the file if it is absent, and the collective after that call.

    ``present`` is the block that processes execute if they find the file; ``certain``: the call provably creates it.
    """

    function: Function
    asked: ir.Call
    branch: ir.Branch
    present: int
    made: ir.Call
    certain: bool
    ahead: NextCollective

    @property
    def place(self) -> Place:
        """The collective, or the call that performs it."""
        return Place(self.function.module, self.ahead.at)

    @property
    def confidence(self) -> Confidence:
        """High if the file is provably created."""
        return Confidence.HIGH if self.certain else Confidence.MEDIUM

    @property
    def question(self) -> str:
        """The call that tests for the file, as written."""
        return self.function.module.source(self.asked.span)

    @property
    def stops_where_present(self) -> bool:
        """Whether a process that finds the file raises, which is a different defect."""
        return isinstance(self.function.ir.blocks[self.present].terminator, ir.Raise)

    def steps(self) -> Iterator[Step]:
        """The test, the creation of the file, the collective."""
        module = self.function.module
        yield Step(module, self.asked.span, "slower processes find the file that a faster one has created")
        yield Step(module, self.made.span, "creates it, possibly before the other processes have tested")
        yield from inner_collective(self.ahead)


@dataclass(frozen=True, slots=True)
class _Question:
    """A branch on the presence of a file; ``origin`` is the block with the test for the file."""

    call: ir.Call
    path: Parts
    present_if: bool
    origin: int


def guard_files(function: Function) -> Iterator[GuardFile]:
    """The tests of a function whose file is created before a collective that only they guard."""
    if function.any_call_may_communicate:
        flow = function.project.get(AbortHandlers).flow(function)
        yield from (found for found in GuardFiles(function, flow).find() if not found.stops_where_present)


class GuardFiles:
    """Finds them in one function."""

    def __init__(self, function: Function, flow: ExceptionFlow) -> None:
        self._function = function
        self._flow = flow
        self._paths = FilePaths(function)

    @cached_property
    def _collectives(self) -> MustCollectives:
        return MustCollectives(self._function, lambda communicator: not communicator.is_self)

    def find(self) -> Iterator[GuardFile]:
        """One for each test."""
        for block, branch, _ in self._function.branches():
            question = self._question(branch.test, block.index)
            if question is None or self._is_of_one_rank(block.index) or self._is_settled(question, block.index):
                continue
            if self._is_of_each_rank(question):
                continue
            found = self._examine(block.index, branch, question)
            if found is not None:
                yield found

    # --- the test ---

    def _question(
        self, test: ir.Expression, block: int, present_if: bool = True, seen: frozenset[str] = frozenset()
    ) -> _Question | None:
        test, present_if = ir.strip_not(test, present_if)
        match test:
            case ir.Call():
                path = self._paths.asked(test)
                return _Question(test, path, present_if, block) if path is not None else None
            case ir.Name(id=name) if name not in seen:
                value = self._paths.value_of(name)
                if value is None:
                    return None
                origin = next((b.index for b in self._function.ir.blocks for s in b.steps if _assigns(s, value)), block)
                return self._question(value, origin, present_if, seen | {name})
            case ir.BooleanOperation(operands=operands):
                found = (self._question(operand, block, present_if, seen) for operand in operands)
                question = next((question for question in found if question is not None), None)
                return question if question is not None and not self._differs_by_rank(operands, block) else None
        return None

    def _differs_by_rank(self, operands: tuple[ir.Expression, ...], block: int) -> bool:
        env = self._function.flow.environment_before(block, None)
        return any(self._function.value(operand, env).content.level is Level.RANK for operand in operands)

    def _is_of_one_rank(self, index: int) -> bool:
        """Whether only some ranks execute the test itself."""
        for block, branch, test in self._function.branches():
            if block.index != index and test.content.level is Level.RANK:
                taken = index in self._flow.reachable(branch.when_true, block.index, exceptions=False)
                if taken != (index in self._flow.reachable(branch.when_false, block.index, exceptions=False)):
                    return True
        return False

    def _is_of_each_rank(self, question: _Question) -> bool:
        """Whether each rank has a different file, which no faster process creates."""
        env = self._function.flow.environment_before(question.origin, None)
        called = question.call.func
        held = called.value if isinstance(called, ir.Attribute) else called
        asked = (*(argument.value for argument in question.call.args), held)
        return any(self._function.value(part, env).content.level is Level.RANK for part in asked)

    def _is_settled(self, question: _Question, index: int) -> bool:
        """Whether all processes have tested before the first of them acts on the result."""
        between = {
            block
            for block in self._flow.reachable(question.origin, index, exceptions=False)
            if index in self._flow.reachable(block, exceptions=False)
        }
        return any(
            ahead.at[0] > question.call.span[0]
            for block in (*between, index)
            for ahead in self._collectives.all_in_block(block)
        )

    # --- the code after the test ---

    def _examine(self, index: int, branch: ir.Branch, question: _Question) -> GuardFile | None:
        present, absent = branch.when_true, branch.when_false
        if not question.present_if:
            present, absent = absent, present
        with_file = self._flow.reachable(present, index, exceptions=False)
        without = self._flow.reachable(absent, index, exceptions=False) - with_file
        for block in sorted(without):
            for bound in self._flow.calls(block):
                certain = self._paths.is_made(question.path, bound)
                if not certain and not self._paths.may_be_made(question.path, bound):
                    continue
                if self._receives_from_all(without, block):
                    continue
                ahead = self._ahead(without, block, bound, index)
                if ahead is not None and not self._is_matched(with_file, ahead):
                    return GuardFile(self._function, question.call, branch, present, bound.call, certain, ahead)
        return None

    def _ahead(self, without: frozenset[int], block: int, bound: BoundCall, test: int) -> NextCollective | None:
        """The first collective after the creation of the file and before the next test, if there is none before."""
        following = self._flow.reachable(block, test, exceptions=False)
        found: list[NextCollective] = []
        for index in sorted(without):
            for ahead in self._collectives.all_in_block(index):
                is_later = index in following if index != block else ahead.at > bound.call.span
                if not is_later and block in self._flow.reachable(index, test, exceptions=False):
                    return None
                if is_later:
                    found.append(ahead)
        return min(found, key=lambda ahead: ahead.at, default=None)

    def _receives_from_all(self, without: frozenset[int], made: int) -> bool:
        """Whether the file is created after messages from the others, which have tested when they send."""
        loops = receiving_loops(self._function) & without
        return any(made in self._flow.reachable(index, exceptions=False) for index in loops)

    def _is_matched(self, with_file: frozenset[int], wanted: NextCollective) -> bool:
        """Whether processes that find the file execute the same collective on a separate path."""
        own = with_file - self._flow.reachable(wanted.block, exceptions=False)
        return any(
            spelling(ahead.operation.method) == spelling(wanted.operation.method)
            and ahead.communicator.groups & wanted.communicator.groups
            for index in own
            for ahead in self._collectives.all_in_block(index)
        )


def _assigns(step: ir.Step, value: ir.Expression) -> bool:
    return isinstance(step, ir.Assign) and step.value is value
