"""Paths through a function and its callees: the events of a callee follow its call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet, repeats, without_not
from jaxmpi_lint.analysis.cfg.invariant_tests import LastingTests
from jaxmpi_lint.analysis.conditions.rank_facts import RankFact, rank_test_of
from jaxmpi_lint.analysis.conditions.three_valued import decide
from jaxmpi_lint.analysis.conditions.uniform_tests import is_alike
from jaxmpi_lint.analysis.divergence.event_languages import Node, Outcomes, Places, UniformTest
from jaxmpi_lint.analysis.divergence.loop_progress import depends_on_progress, leaves_loop
from jaxmpi_lint.analysis.divergence.options import is_option, passed_name
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.interfaces import Event, Part, Run, RunConstants
from jaxmpi_lint.analysis.lattice.lattice import Communicator, SizeOf
from jaxmpi_lint.analysis.lattice.limits import MANY_PROCESSES, PATH_CALLS, PATH_FRAMES
from jaxmpi_lint.analysis.model.communication_events import YIELDS, events_of_block, passed
from jaxmpi_lint.analysis.participation.command_loops import is_endless
from jaxmpi_lint.analysis.uniformity.callees import literal
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


Filter = Callable[[Event], Event | None]
OwnEvents = Callable[[int], list[Event]]
OwnSuccessors = Callable[[int, Outcomes], Iterable[tuple[int, Outcomes]]]


@dataclass(frozen=True, slots=True)
class _Frame:
    """An activation of a function: its caller, and its names in terms of the analysed function.

    ``back`` is where its caller continues, ``yields_to`` where the consumer of a generator does.
    """

    function: Function
    callee: Run | None = None
    caller: _Frame | None = None
    back: tuple[Node, int] | None = None
    yields_to: tuple[Node, int] | None = None
    span: ir.Span = (0, 0)
    block: int = 0
    trail: tuple[Place, ...] = ()

    def outermost(self, communicator: Communicator) -> Communicator:
        """A communicator of this function in terms of the analysed function."""
        frame: _Frame | None = self
        while frame is not None and frame.callee is not None:
            communicator = frame.callee.rename(communicator)
            frame = frame.caller
        return communicator

    @property
    def part(self) -> Part:
        """The part of the function that runs."""
        return self.callee.part if self.callee is not None else Part.WHOLE

    @property
    def constants(self) -> RunConstants:
        """The constants of this activation."""
        if self.callee is None or self.caller is None:
            return self.function.constants
        return self.callee.constants(self.caller.constants)

    def depth(self) -> int:
        """The depth of the call chain."""
        return 0 if self.caller is None else 1 + self.caller.depth()

    def runs(self, key: tuple[str, str]) -> bool:
        """Whether a function is active here or in an outer frame."""
        return self.function.key == key or (self.caller is not None and self.caller.runs(key))

    def place(self) -> tuple[ir.Span, ...]:
        """The chain of calls to this frame."""
        return self.span, *(place.span for place in self.trail)

    def is_alike(self, block: int, branch: ir.Branch, test: ir.Expression) -> bool:
        """Whether a test, or a part of it, has one outcome on all processes, given the arguments of the call."""
        if is_alike(self.function, block, branch, test):
            return True
        if self.callee is None or isinstance(test, ir.Element):
            return False
        joining = ir.Constant | ir.Comparison | ir.UnaryOperation | ir.BooleanOperation
        parts = [node for node in ir.walk(test) if not isinstance(node, joining)]
        if all(isinstance(part, ir.Name) and self._is_given_alike(part.id) for part in parts):
            return True
        asked = without_not(test)
        return isinstance(asked, ir.Name) and self._is_option(asked.id)

    def _is_given_alike(self, name: str) -> bool:
        given = self.callee.arguments.get(name) if self.callee is not None else None
        return given is not None and given.content.level is Level.UNIFORM and not self.function.rebinds(name)

    def _is_option(self, name: str) -> bool:
        """Whether a parameter is passed on, through all calls, from an option of the analysed function."""
        if self.caller is None or self.function.rebinds(name):
            return False
        at = self.trail[-1].span if self.trail else self.span
        given = passed_name(self.caller.function, at, self.function, name)
        if given is None:
            return False
        if self.caller.caller is None:
            return is_option(self.caller.function, self.block, given)
        return self.caller._is_option(given)

    def translated(self, event: Event) -> Event:
        """An event of this function in terms of the analysed function."""
        if self.callee is None:
            return event
        trail = (*self.trail, Place(self.function.module, event.span))
        if event.communicator is None:
            return replace(event, span=self.span, block=self.block, trail=trail)
        communicator = self.outermost(event.communicator)
        return replace(
            event,
            label=(event.label[0], communicator.context, *event.label[2:]),
            communicator=communicator,
            root=passed(event.root, self.callee.arguments),
            reduction=passed(event.reduction, self.callee.arguments),
            span=self.span,
            block=self.block,
            trail=trail,
        )


@dataclass(frozen=True, slots=True)
class PathFacts:
    """Facts about one side of a branch of a function.

    ``decide`` is the outcome of a test, or a part of one, at the end of a block, ``fact`` a fact about the rank.
    """

    decide: Callable[[int, ir.Expression], bool | None] = lambda block, test: None
    fact: RankFact | None = None


class Frames:
    """The control-flow graph of a function, with the graphs of its callees inlined at their calls."""

    def __init__(
        self,
        function: Function,
        relevant: Filter,
        successors: OwnSuccessors,
        events: OwnEvents | None = None,
        path_facts: PathFacts | None = None,
    ) -> None:
        """``successors`` and ``events`` are those of the function itself."""
        self._frames = [_Frame(function)]
        self._relevant = relevant
        self._own_successors = successors
        self._own_events = events or (lambda block: _block_events(self._frames[0], block))
        self._path_facts = path_facts or PathFacts()
        self._events: dict[Node, list[Event]] = {}
        self._entered: dict[tuple[Node, int], Places | None] = {}
        self._targets: dict[Node, tuple[int, ...]] = {}
        self._crossings: dict[Node, UniformTest | None] = {}

    def events(self, node: Node) -> list[Event]:
        """The communication of a block on the communicators of interest, and the calls that may communicate on them."""
        if node not in self._events:
            frame = self._frames[node[0]]
            events = self._own_events(node[1]) if node[0] == 0 else _block_events(frame, node[1])
            kept = (self._relevant(frame.translated(event)) for event in events)
            self._events[node] = [event for event in kept if event is not None]
        return self._events[node]

    def enter(self, node: Node, taken: int) -> Places | None:
        """Where the function that a call runs begins; None if it is unknown, recursive, or too deep."""
        key = node, taken
        if key not in self._entered:
            self._entered[key] = self._enter(node, taken)
        return self._entered[key]

    def _enter(self, node: Node, taken: int) -> Places | None:
        event, frame = self.events(node)[taken], self._frames[node[0]]
        callee = event.callee
        if event.label == YIELDS:
            return (frame.yields_to or (node, taken + 1),)
        if callee is None or frame.runs(callee.key) or frame.depth() >= PATH_CALLS or len(self._frames) >= PATH_FRAMES:
            return None
        project = frame.function.project
        if project.is_running(callee.function):
            return None
        number = len(self._frames)
        back, yields_to = _continuations(frame.function, event, node, taken)
        self._frames.append(
            _Frame(callee.function, callee, frame, back, yields_to, event.span, event.block, event.trail)
        )
        resumed = callee.part in (Part.FROM_YIELD, Part.NEXT_ITEM)
        return tuple(self._resumed(number)) if resumed else (((number, 0), 0),)

    def _resumed(self, number: int) -> Iterator[tuple[Node, int]]:
        """The places of a generator after its ``yield``."""
        for block in self._frames[number].function.ir.blocks:
            node = number, block.index
            for place, event in enumerate(self.events(node)):
                if event.label == YIELDS:
                    yield node, place + 1

    def leave(self, node: Node) -> tuple[Node, int] | None:
        """The node in the caller where execution continues after a called function returns."""
        frame = self._frames[node[0]]
        return frame.back if node[1] == frame.function.graph.exit else None

    def successors(self, node: Node, outcomes: Outcomes) -> Iterable[tuple[Node, Outcomes]]:
        """The successors of a block."""
        if node[0] == 0:
            return (((0, target), known) for target, known in self._own_successors(node[1], outcomes))
        if node not in self._targets:
            self._targets[node] = self._inner_targets(node)
        return (((node[0], target), outcomes) for target in self._targets[node])

    def repeats(self, node: Node) -> bool:
        """Whether a block ends in the test of a loop."""
        branch = self._branch(node)
        return branch is not None and repeats(branch)

    def is_endless(self, node: Node) -> bool:
        """Whether a block ends in the test of an endless loop."""
        branch = self._branch(node)
        return branch is not None and is_endless(branch)

    def _branch(self, node: Node) -> ir.Branch | None:
        blocks = self._frames[node[0]].function.ir.blocks
        terminator = blocks[node[1]].terminator if node[1] < len(blocks) else None
        return terminator if isinstance(terminator, ir.Branch) else None

    def crossing(self, node: Node) -> UniformTest | None:
        """The test at the end of a block, if it is equal on all processes."""
        if node not in self._crossings:
            self._crossings[node] = self._crossing(node)
        return self._crossings[node]

    def _crossing(self, node: Node) -> UniformTest | None:
        frame, block = self._frames[node[0]], node[1]
        found = next((branch for ended, branch, _ in frame.function.branches() if ended.index == block), None)
        if found is None:
            return None
        place = frame.place(), block
        loops, yes, outer = repeats(found), (node[0], found.when_true), self._around(frame, found, block)
        if not all(frame.is_alike(block, found, part) for part in self._undecided(node, found.test)):
            return None
        return UniformTest(place, loops, yes, outer, not loops and LastingTests(frame.function).lasts(found.test))

    def unknown_test(self, node: Node) -> UniformTest | None:
        """The test at the end of a block of the analysed function whose outcome is not known to be equal or different.

        A ``for`` loop over unknown data is taken to have one trip count on all processes: if it does not, they diverge
        all the more. A test whose outcome the progress of a loop may decide is left out.
        """
        frame, branch = self._frames[0], self._branch(node)
        if branch is None or node[0] != 0 or depends_on_progress(frame.function, branch):
            return None
        yes = 0, branch.when_true
        if not repeats(branch):
            leaves = leaves_loop(frame.function, node[1], branch)
            return UniformTest(("unknown", node), False, yes, (), is_uniform=False) if leaves else None
        tests = {block.index: test for block, _, test in frame.function.branches()}
        if branch.kind != "for" or deciding_facet(branch, tests[node[1]]).level is not Level.UNKNOWN:
            return None
        return UniformTest((frame.place(), node[1]), True, yes, self._around(frame, branch, node[1]))

    def _around(self, frame: _Frame, branch: ir.Branch, block: int) -> tuple[Hashable, ...]:
        """The keys of the loops around a branch."""
        loops = frame.function.loops_around(branch.span)
        return tuple((frame.place(), loop.index) for loop, _ in loops if loop.index != block)

    def _undecided(self, node: Node, test: ir.Expression) -> Iterator[ir.Expression]:
        """The parts of a test on which its outcome depends, given the facts about this process."""
        inner = without_not(test)
        if node[0] != 0 or not isinstance(inner, ir.BooleanOperation):
            yield test
            return
        for operand in inner.operands:
            if self._path_facts.decide(node[1], operand) is None:
                yield from self._undecided(node, operand)

    def _inner_targets(self, node: Node) -> tuple[int, ...]:
        frame, block = self._frames[node[0]], node[1]
        if block >= len(frame.function.ir.blocks):
            return ()
        targets = frame.function.graph.successors[block]
        terminator = frame.function.ir.blocks[block].terminator
        if not isinstance(terminator, ir.Branch) or len(targets) < 2:
            return targets
        outcome = _Tests(frame, self._path_facts.fact).outcome(block, terminator.test)
        if outcome is None:
            return targets
        return (terminator.when_true if outcome else terminator.when_false,)


def _continuations(
    function: Function, event: Event, node: Node, taken: int
) -> tuple[tuple[Node, int] | None, tuple[Node, int] | None]:
    """Where the caller continues after a call, and where after a ``yield`` in it."""
    behind, part = (node, taken + 1), event.callee.part if event.callee is not None else Part.WHOLE
    if part is Part.UP_TO_YIELD:
        return None, behind  # a context manager that yields nothing raises an exception
    loop = function.ir.blocks[event.loop].terminator if event.loop >= 0 else None
    if isinstance(loop, ir.Branch):
        return ((node[0], loop.when_false), 0), ((node[0], loop.when_true), 0)
    return behind, None


def _block_events(frame: _Frame, block: int) -> list[Event]:
    function = frame.function
    if block >= len(function.ir.blocks) or function.flow.entries[block] is None:
        return []
    return events_of_block(function, block, True) if frame.function.ir.is_generator else function.block_events(block)


def decision_of_several(function: Function, groups: frozenset[str]) -> Callable[[int, ir.Expression], bool | None]:
    """The outcomes of tests where processes of ``groups`` diverge: there is a communicator, with more than one."""
    return _Tests(_Frame(function), None, groups).outcome


class _Tests:
    """Facts about the tests of a called function that follow from the call."""

    def __init__(self, frame: _Frame, fact: RankFact | None, groups: frozenset[str] = frozenset()) -> None:
        self._frame = frame
        self._groups = groups
        self._function = frame.function
        self._fact = fact
        self._constants = frame.constants

    def outcome(self, block: int, test: ir.Expression) -> bool | None:
        """The outcome of a test, if the arguments, the rank or the number of processes determine it."""
        return decide(test, lambda part: self._known(block, part))

    def _known(self, block: int, part: ir.Expression) -> bool | None:
        settled = self._constants.outcome(part)
        if settled is not None:
            return settled
        match part:
            case ir.Name(id=name):
                constant = self._argument(name)
                return bool(constant[0]) if constant is not None else self._is_communicator(block, part) or None
            case ir.Comparison(operands=(left, right), operators=(operator,)):
                return self._compared(block, part, left, operator, right)
        return None

    def _compared(
        self, block: int, test: ir.Comparison, left: ir.Expression, operator: str, right: ir.Expression
    ) -> bool | None:
        ranks = rank_test_of(self._function, block, test) if self._fact is not None else None
        if ranks is not None and self._fact is not None:
            if self._frame.outermost(ranks.communicator).groups != self._fact.communicator.groups:
                return None
            return self._fact.decide(ranks.operator, ranks.number)
        if isinstance(right, ir.Constant) and isinstance(left, ir.Name):
            constant = self._argument(left.id)
            if constant is not None and operator in ("is", "is not", "==", "!="):
                return (constant[0] == right.value) == (operator in ("is", "=="))
        if ir.is_none(right):
            return self._compared_with_none(block, left, operator)
        return self._many(block, left, operator, right)

    def _compared_with_none(self, block: int, left: ir.Expression, operator: str) -> bool | None:
        """A communicator is not None: with None, there is no communication."""
        if operator not in ("is", "is not", "==", "!=") or not self._is_communicator(block, left):
            return None
        return operator in ("is not", "!=")

    def _is_communicator(self, block: int, expression: ir.Expression) -> bool:
        env = self._function.flow.environment_before(block, None)
        return isinstance(self._function.value(expression, env).entity, Communicator)

    def _many(self, block: int, left: ir.Expression, operator: str, right: ir.Expression) -> bool | None:
        """There is more than one process, and there are enough: one that finds too few of them refuses to work."""
        env = self._function.flow.environment_before(block, None)
        entity, bound = self._function.value(left, env).entity, literal(self._function.value(right, env))
        if not isinstance(entity, SizeOf) or bound is None:
            return None
        if self._groups and entity.communicator.groups != self._groups:
            return None
        if operator == "<" and isinstance(bound.value, int) and bound.value <= MANY_PROCESSES:
            return False
        return {(">", 1): True, (">=", 2): True, ("!=", 1): True, ("==", 1): False}.get(
            (operator, bound.value) if isinstance(bound.value, int) else ("", 0)
        )

    def _argument(self, name: str) -> tuple[object] | None:
        """The constant passed for a parameter, if the function does not rebind it."""
        callee = self._frame.callee
        constant = literal(callee.arguments.get(name)) if callee is not None else None
        return None if constant is None or self._function.rebinds(name) else (constant.value,)
