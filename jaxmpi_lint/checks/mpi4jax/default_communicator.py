"""Ranks that reach mpi4jax's default communicator, whose first use is collective over all ranks.

The program is simulated once for each rank of a few small jobs, as far as its tests on rank and size determine the
path. If a part of it cannot be simulated, the whole result is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.lattice.lattice import WORLD, Compiled, FunctionReference, Named
from jaxmpi_lint.analysis.lattice.limits import DEFAULT_COMMUNICATOR_CALLS
from jaxmpi_lint.analysis.uniformity.communicator_usage import call_of, run_function
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import COLLECTIVE_KINDS, Operation, Tracing

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment

DEFAULT = "mpi4jax default"
_MANY = 6
"""Upper bound of the count of collectives on the world, so that loops terminate; larger counts are equal to it."""


class Undecided(Exception):
    """The path of the program cannot be determined."""


@dataclass(frozen=True, slots=True)
class Use:
    """An operation on the default communicator."""

    path: str
    span: ir.Span
    operation: Operation
    module: ir.Module = field(compare=False)


@dataclass(frozen=True, slots=True)
class Way:
    """How a path ends: at the first use, at the end of the function (``over`` False), or of the program.

    ``waited`` is the number of collectives of all ranks before it.
    """

    waited: int
    use: Use | None = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of a test on one rank."""

    module: ir.Module
    branch: ir.Branch
    outcome: bool


def default_use(function: Function, bound: BoundCall) -> Use | None:
    """The use of the default communicator that a call is."""
    operation, communicator = bound.operation, bound.communicator
    if operation is None or communicator is None or communicator.context != DEFAULT:
        return None
    return Use(function.module.path, bound.call.span, operation, function.module)


class RelevantFunctions:
    """The functions that may reach such a use, found by the names that they contain."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self.keys: set[tuple[str, str]] = set()
        self.names: set[str] = set()
        functions = [function for module in project.modules() for function in module.functions()]
        mentions = {function.key: _names_in(function.ir) for function in functions}
        pending = [function for function in functions if any(default_use(function, b) for b in function.calls())]
        while pending:
            for function in pending:
                self.keys.add(function.key)
                self.names |= _called_as(function)
            pending = [f for f in functions if f.key not in self.keys and mentions[f.key] & self.names]

    def __contains__(self, function: Function) -> bool:
        return function.key in self.keys

    def entries(self) -> Iterator[Function]:
        """Entry points: the modules that are executed; else the single function that the project does not call."""
        bodies = [model.body for model in self._project.modules() if model.body in self]
        if bodies:
            alone = len(bodies) == 1
            yield from (body for body in bodies if alone or "__main__" in body.module.text)
            return
        found = [f for key in sorted(self.keys) if (f := self._project.function(*key)) is not None]
        free = [f for f in found if f.ir.kind == "function" and f.ir.parent in (None, "<module>")]
        free = [f for f in free if not any(f.ir.name in _names_in(other.ir) for other in found)]
        if len(free) == 1 and not any(f.ir.kind in ("method", "class") for f in found):
            yield free[0]


def _called_as(function: Function) -> set[str]:
    if function.ir.kind == "lambda":
        return {function.ir.qualname}
    if function.ir.kind == "module":
        return set()
    owner = function.ir.owner.rpartition(".")[2] if function.ir.owner else None
    return {owner} if function.ir.name == "__init__" and owner is not None else {function.ir.name}


def _names_in(function: ir.Function) -> frozenset[str]:
    found: set[str] = set()
    for call in function.calls():
        for node in ir.walk(call):
            match node:
                case ir.Name(id=name) | ir.Attribute(attr=name) | ir.Lambda(function=name):
                    found.add(name)
    return frozenset(found)


class RankWalk:
    """Simulates the program on one rank."""

    def __init__(self, member: Member, relevant: RelevantFunctions) -> None:
        self._tests = OneRank(member)
        self._relevant = relevant
        self._running: list[tuple[str, str]] = []
        self.visited: set[tuple[str, ir.Span]] = set()
        self.decisions: dict[tuple[str, ir.Span], Decision] = {}

    def ways(self, function: Function) -> frozenset[Way]:
        """Each path through a function; raises `Undecided`."""
        if len(self._running) > DEFAULT_COMMUNICATOR_CALLS or function.key in self._running or function.ir.is_too_large:
            raise Undecided
        self._running.append(function.key)
        found: set[Way] = set()
        seen: set[tuple[int, int, bool]] = set()
        pending = [(0, 0, False)]
        while pending:
            state = pending.pop()
            if state in seen:
                continue
            seen.add(state)
            block, waited, _ = state
            if block == function.graph.exit:
                found.add(Way(waited))
                continue
            if function.flow.entries[block] is None:
                continue
            for way in self._through(function, block, waited):
                if way.use is not None or way.over:
                    found.add(way)
                elif block in function.leaving:
                    found.add(Way(way.waited, over=True))
                else:
                    pending += [(target, way.waited, back) for target, back in self._next(function, state)]
        self._running.pop()
        return frozenset(found)

    def _next(self, function: Function, state: tuple[int, int, bool]) -> Iterator[tuple[int, bool]]:
        """The successors of a block, and whether a successor is the header of a loop that contains the block."""
        index, _, again = state
        block = function.ir.blocks[index]
        targets = function.graph.successors[index]
        branch = block.terminator
        if isinstance(branch, ir.Branch):
            outcome = self._outcome(function, index, branch, again)
            if outcome is not None:
                wanted = branch.when_true if outcome else branch.when_false
                targets = tuple(target for target in targets if target == wanted)
        for target in targets:
            yield target, _goes_back(function, block, target)

    def _outcome(self, function: Function, index: int, branch: ir.Branch, again: bool) -> bool | None:
        env = function.flow.environment_before(index, None)
        if branch.kind not in ("for", "comprehension"):
            decided = self._tests.decide(function, branch.test, env)
            if decided is not None:
                self.decisions[function.module.path, branch.span] = Decision(function.module, branch, decided)
                return decided
        if branch.kind in ("for", "while", "comprehension") and not again:
            test = function.value(branch.test, env)
            return None if Level.RANK in (test.content.level, test.structure.level) else True
        return None

    def _through(self, function: Function, index: int, waited: int) -> list[Way]:
        """The paths through one block; a path that reaches its end is neither at a use nor over."""
        open_ways, closed = {Way(waited)}, set[Way]()
        for _, step, env in _steps_of(function, index):
            bound = call_of(function, step)
            if bound is None:
                continue
            self.visited.add((function.module.path, bound.call.span))
            inner = self._of_call(function, bound, env)
            both = {_after(way, behind) for way in open_ways for behind in inner}
            closed |= {way for way in both if way.use is not None or way.over}
            open_ways = both - closed
        return [*closed, *open_ways]

    def _of_call(self, function: Function, bound: BoundCall, env: Environment) -> frozenset[Way]:
        use = default_use(function, bound)
        if use is not None:
            return frozenset({Way(0, use)})
        if bound.operation is not None:
            return frozenset({Way(1 if _waits_for_world(bound) else 0)})
        handed = list(self._handed(function, bound, env))
        if handed:
            return self._of_transform(function, bound, handed)
        reference = run_function(function.project, bound)
        if reference is None:
            called = bound.call.func
            name = called.attr if isinstance(called, ir.Attribute) else called.id if isinstance(called, ir.Name) else ""
            if name in self._relevant.names or (bound.callee.entity is None and "__call__" in self._relevant.names):
                raise Undecided
            return frozenset({Way(0)})
        target = function.project.function(reference.path, reference.qualname)
        if target is None or not self._matters(function, target):
            return frozenset({Way(0)})
        if target.ir.is_generator or target.ir.is_async:
            raise Undecided
        if target.ir.decorators and not isinstance(bound.callee.entity, Compiled):
            raise Undecided
        return self.ways(target)

    def _matters(self, function: Function, target: Function) -> bool:
        return target in self._relevant or function.project.summaries.function_may_communicate(target.key)

    def _handed(self, function: Function, bound: BoundCall, env: Environment) -> Iterator[Function]:
        """The relevant functions that are passed to a call."""
        for argument in bound.call.args:
            for node in ir.walk(argument.value):
                if isinstance(node, (ir.Name, ir.Attribute, ir.Lambda)):
                    entity = function.value(node, env).entity
                    entity = entity.function if isinstance(entity, Compiled) else entity
                    if isinstance(entity, FunctionReference):
                        target = function.project.function(entity.path, entity.qualname)
                        if target is not None and target in self._relevant:
                            yield target

    def _of_transform(self, function: Function, bound: BoundCall, handed: list[Function]) -> frozenset[Way]:
        """A transform that returns a function executes nothing; loop bodies and branches are traced immediately."""
        entity = bound.callee.entity
        transform = function.project.catalogue.transform(entity.dotted) if isinstance(entity, Named) else None
        if transform is None or transform.tracing is Tracing.ESCAPE:
            raise Undecided
        if transform.tracing in (Tracing.STAGE, Tracing.TRANSFORM):
            return frozenset({Way(0)})
        found = {Way(0)}
        for target in handed:
            inner = self.ways(target)
            found = {_after(way, behind) if way.use is None else way for way in found for behind in inner}
        return frozenset(found)


def _after(way: Way, behind: Way) -> Way:
    return Way(min(way.waited + behind.waited, _MANY), behind.use, behind.over)


def _goes_back(function: Function, block: ir.Block, target: int) -> bool:
    if target >= len(function.ir.blocks) or target > block.index:
        return False
    header = function.ir.blocks[target].terminator
    return isinstance(header, ir.Branch) and header.kind in ("for", "while", "comprehension")


def _steps_of(function: Function, index: int) -> Iterator[tuple[ir.Block, ir.Step, Environment]]:
    block = function.ir.blocks[index]
    env = dict(function.flow.entries[index] or {})
    function.evaluator.calls.forget()
    for step in block.steps:
        yield block, step, env
        function.flow.step(step, env)


def _waits_for_world(bound: BoundCall) -> bool:
    """Whether a call is a blocking collective of all ranks on a separate communicator."""
    operation, communicator = bound.operation, bound.communicator
    if operation is None or communicator is None or operation.kind not in COLLECTIVE_KINDS:
        return False
    return operation.blocking and communicator.groups == {WORLD}
