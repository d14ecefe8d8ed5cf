"""Frames of a rank, and what is known of a function before it runs."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator as Iterates
from dataclasses import dataclass, field

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.padding import Padding
from jaxmpi_lint.interpreter import early_reads
from jaxmpi_lint.interpreter.raised import Raised
from jaxmpi_lint.interpreter.values import FunctionValue, Iterator, Scope, Value


@dataclass(slots=True)
class Prepared:
    """Facts of a function's graph: handlers by entry block, ends of ``with`` blocks, local names.

    ``stops`` has the comprehensions that `any` and `all` consume, with the outcome of an element that ends them, and
    those of which `next` takes the first element, with None;
    ``reads`` what is read before the calls of the same expression, ``consumed`` the generator expressions that a call
    gets, which is taken to consume them at once.
    """

    function: ir.Function
    handlers: dict[int, ir.Handler] = field(default_factory=dict)
    tries: dict[int, ir.Try] = field(default_factory=dict)
    ends: dict[int, tuple[int, int]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    stops: dict[int, bool | None] = field(default_factory=dict)
    reads: early_reads.Reads = field(default_factory=dict)
    consumed: set[int] = field(default_factory=set)
    padding: Padding = field(init=False)

    def __post_init__(self) -> None:
        self.padding = Padding(self.function)

    def is_last(self, node: ir.Comprehension, truth: Callable[[], bool]) -> bool:
        """Whether no element is wanted after one of this truth."""
        if id(node) not in self.stops:
            return False
        wanted = self.stops[id(node)]
        return wanted is None or truth() is wanted


_LAZY = frozenset({"map", "filter", "zip", "enumerate", "iter", "reversed", "islice", "chain", "takewhile"})
"""Functions that do not consume an iterable when they are called."""

_prepared: dict[int, tuple[ir.Function, Prepared]] = {}


def prepare(function: ir.Function) -> Prepared:
    """The facts of a function, computed once."""
    known = _prepared.get(id(function))
    if known is None or known[0] is not function:
        known = _prepared[id(function)] = (function, _prepare(function))
    return known[1]


def _prepare(function: ir.Function) -> Prepared:
    found = Prepared(function, reads=early_reads.of(function))
    tries: list[ir.Try] = []
    names: set[str] = set()
    inner = _inner_iterables(function)
    for block in function.blocks:
        for index, step in enumerate(block.steps):
            names |= set(_bound(step, inner))
            if isinstance(step, ir.Try):
                tries.append(step)
            elif isinstance(step, ir.Leave) and not step.is_raised:
                found.ends[id(step.context)] = (block.index, index + 1)
    for tried in tries:
        for handler in tried.handlers:
            found.handlers[handler.entry] = handler
            found.tries[handler.entry] = tried
    for entry in {entry for block in function.blocks for entry in block.handlers} - found.handlers.keys():
        around = [tried for tried in tries if ir.contains(tried.extent, _span(function.blocks[entry]))]
        if around:
            found.tries[entry] = min(around, key=lambda tried: tried.extent[1] - tried.extent[0])
    for call in function.calls():
        if not (isinstance(call.func, ir.Name | ir.Attribute) and (ir.dotted(call.func) or "") in _LAZY):
            found.consumed |= {id(one.value) for one in call.args if isinstance(one.value, ir.Comprehension)}
        match call:
            case ir.Call(func=ir.Name(id="any" | "all" as name), args=(ir.Argument(value=ir.Comprehension() as node),)):
                found.stops[id(node)] = name == "any"
            case ir.Call(func=ir.Name(id="next"), args=(ir.Argument(value=ir.Comprehension() as node), *_)):
                found.stops[id(node)] = None
    if function.kind in ("function", "method", "lambda"):
        found.names = frozenset(names | {p.name for p in function.parameters}) - function.globals - function.nonlocals
    return found


def _span(block: ir.Block) -> ir.Span:
    return block.steps[0].span if block.steps else block.terminator.span


def _inner_iterables(function: ir.Function) -> set[int]:
    """The iterables of comprehensions, whose targets are no names of the function."""
    comprehensions = (step.comprehension for step in function.steps() if isinstance(step, ir.Collect))
    return {id(generator.iterable) for one in comprehensions for generator in one.generators}


def _bound(step: ir.Step, inner: set[int]) -> Iterates[str]:
    match step:
        case ir.Assign(value=ir.Element(iterable=iterable)) if id(iterable) in inner:
            return
        case ir.Assign(targets=targets, value=value, annotation=annotation):
            if value is not None or annotation is None:
                for target in targets:
                    yield from _names(target)
        case ir.AugmentedAssign(target=ir.Name(id=name)):
            yield name
        case ir.Define(name=name):
            yield name
        case ir.Import(names=names):
            yield from (one.bound.partition(".")[0] for one in names)


def _names(target: ir.Expression) -> Iterates[str]:
    match target:
        case ir.Name(id=name):
            yield name
        case ir.Collection(elements=elements):
            for element in elements:
                yield from _names(element)
        case ir.Starred(value=value):
            yield from _names(value)


@dataclass(slots=True)
class Entered:
    """A context manager that is entered: its expression, the object, and the text of the ``with`` statement."""

    context: ir.Expression
    value: Value
    extent: ir.Span


@dataclass(slots=True)
class Handling:
    """A handler that runs: the name of its exception, and its text."""

    name: str
    extent: ir.Span


@dataclass(slots=True)
class Collecting:
    """A comprehension whose parts contain calls, while it runs; ``length`` is that of a loop which is sampled.

    ``is_lazy`` if no call consumes it at once.
    """

    elements: list[Value]
    saved: dict[str, Value]
    is_guessed: bool = False
    length: int = 0
    is_lazy: bool = False


@dataclass(slots=True, eq=False)
class Frame:
    """One running function of one rank.

    ``path`` identifies the chain of calls, equal on ranks that came the same way. ``results`` are those of calls,
    ``implicit`` those of properties and special methods in the current step, ``outcomes`` those of the tests inside of
    expressions, ``captured`` what was read before a call of the same expression. ``endless`` is the extent of a loop
    that only a test inside of it ends, after several passes. ``running`` are comprehensions over an iterator, whose
    further items others may take.
    ``ended`` are the visits of the tests of ``while`` loops after the last one that ended the loop. ``lazy`` is the
    generator expression whose items the frame makes, and nothing else.
    """

    function: ir.Function
    scope: Scope
    path: int
    prepared: Prepared
    callee: FunctionValue | None = None
    place: tuple[ir.Module, ir.Span] | None = None
    results: dict[int, Value] = field(default_factory=dict)
    implicit: dict[object, Value] = field(default_factory=dict)
    captured: dict[int, Value] = field(default_factory=dict)
    outcomes: dict[int, bool] = field(default_factory=dict)
    iterators: dict[int, Iterator] = field(default_factory=dict)
    collecting: dict[int, Collecting] = field(default_factory=dict)
    contexts: list[Entered] = field(default_factory=list)
    entered: dict[int, Value] = field(default_factory=dict)
    running: set[int] = field(default_factory=set)
    visits: dict[int, int] = field(default_factory=dict)
    ended: dict[int, int] = field(default_factory=dict)
    calls: dict[int, int] = field(default_factory=dict)
    caught: Raised | None = None
    handling: list[Handling] = field(default_factory=list)
    block: int = 0
    span: ir.Span | None = None
    endless: ir.Span | None = None
    lazy: ir.Comprehension | None = None

    def tests_end(self, path: int, block: int) -> bool:
        """Whether the test of a block of this frame lies in an endless loop, and so may be what ends it."""
        if self.endless is None or path != self.path:
            return False
        start, end = self.function.blocks[block].terminator.span
        return self.endless[0] <= start and end <= self.endless[1]

    def count(self, block: int) -> int:
        """How often the block has ended before; counted."""
        seen = self.visits.get(block, 0)
        self.visits[block] = seen + 1
        return seen
