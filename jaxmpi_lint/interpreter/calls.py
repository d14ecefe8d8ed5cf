"""Calls: of functions and classes of the project, and of libraries."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, cast

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import (
    array_changes,
    buffers,
    changed_items,
    container_items,
    derived,
    evaluation,
    failing_calls,
    failures,
    fetches,
    file_accesses,
    joined_lists,
    lengths,
    memory_files,
    missing_operands,
    open_tables,
    operations,
    own_extremes,
    unpacking,
)
from jaxmpi_lint.interpreter.arguments import bind
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.certain_failures import uncallable
from jaxmpi_lint.interpreter.construction import construct
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.descriptors import Descriptor
from jaxmpi_lint.interpreter.events import Opaque
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.managed import Managed
from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.raised import ProgramError, Raised, fail, unfit
from jaxmpi_lint.interpreter.reach import communicators_in, release
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import (
    EXHAUSTED,
    MISSING,
    BoundMethod,
    ClassValue,
    Cut,
    FunctionValue,
    GeneratorValue,
    Instance,
    Iterator,
    Library,
    LibraryMethod,
    Method,
    Partial,
    Running,
    Scope,
    Value,
    Yielded,
)
from jaxmpi_lint.library.mpi.mpi4py_names import MEMBERS
from jaxmpi_lint.library.names import COMMUNICATOR_CLASSES

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def evaluate_call(rank: Rank, frame: Frame, step: ir.Evaluate) -> Running:
    """Make the call of a step, or yield from a generator; the result is kept in the frame."""
    node = step.expression
    for read in frame.prepared.reads.get(id(node), ()):
        frame.captured.pop(id(read), None)
        frame.captured[id(read)] = yield from rank.settle(frame, partial(evaluation.evaluate, rank, frame, read))
    if isinstance(node, ir.Yield):
        yield from _yield(rank, frame, node)
    elif isinstance(node, ir.Call):
        if isinstance(node.func, ir.Name) and node.func.id == "super" and not node.args:
            frame.results[id(node)] = _super(rank, frame)
            return None
        function, args, keywords = yield from rank.settle(frame, lambda: evaluation.operands(rank, frame, node))
        changed_items.before_call(rank, frame, node, args)
        frame.results[id(node)] = yield from call(rank, function, args, keywords, node.span)
    else:
        raise Cut("asynchronous code")
    return None


def _super(rank: Rank, frame: Frame) -> Value:
    """The object and class of ``super()`` in the current frame."""
    current: Frame | None = frame
    callee = current.callee if current is not None else None
    if callee is None or callee.owner is None or not callee.ir.parameters:
        raise Cut("super() outside of a method")
    return Descriptor("super", (frame.scope.names[callee.ir.parameters[0].name], callee.owner))


def _yield(rank: Rank, frame: Frame, node: ir.Yield) -> Running:
    if node.delegate:
        inner = yield from rank.settle(frame, lambda: evaluation.evaluate(rank, frame, _value(node)))
        state = iterate(rank, inner)
        while True:
            item = yield from next_item(rank, state)
            if item is EXHAUSTED:
                break
            yield from _hand_out(rank, item)
        frame.results[id(node)] = inner.result if isinstance(inner, GeneratorValue) else None
        return None
    value = None
    if node.value is not None:
        value = yield from rank.settle(frame, lambda: evaluation.evaluate(rank, frame, _value(node)))
    frame.results[id(node)] = yield from _hand_out(rank, value)
    return None


def _value(node: ir.Yield) -> ir.Expression:
    assert node.value is not None
    return node.value


def _hand_out(rank: Rank, value: Value) -> Running:
    """Suspend the generator until its consumer asks again."""
    return (yield Yielded(value))


def call(rank: Rank, function: Value, args: tuple[Value, ...], keywords: Mapping[str, Value], span: ir.Span) -> Running:
    """Call a value."""
    if isinstance(function, BoundMethod):
        return (yield from call(rank, function.function, (function.receiver, *args), keywords, span))
    if isinstance(function, FunctionValue):
        return (yield from call_function(rank, function, args, dict(keywords), span))
    if isinstance(function, ClassValue):
        return (yield from construct(rank, function, args, dict(keywords), span))
    if isinstance(function, Partial):
        merged = {**function.keywords, **keywords}
        return (yield from call(rank, function.function, (*function.args, *args), merged, span))
    if isinstance(function, Descriptor):
        return (yield from call(rank, function.function, args, keywords, span))
    if isinstance(function, Instance):
        method = function.cls.find("__call__")
        if method is MISSING:
            raise fail("TypeError")
        return (yield from call(rank, method, (function, *args), keywords, span))
    return (yield from _call_library(rank, function, Arguments(args, keywords), span))


def _call_library(rank: Rank, function: Value, arguments: Arguments, span: ir.Span) -> Running:
    handler, receiver = None, cast("Value", MISSING)
    rank.state["span"] = span
    function, arguments = _on_first_argument(rank, function, arguments)
    error = uncallable(function)
    if error is not None:
        raise error
    if isinstance(function, Library):
        failures.check(rank, function.dotted, arguments)
        missing_operands.check(function.dotted, arguments)
        is_open = any(map(unpacking.is_unknown, arguments.values))
        handler = None if is_open else rank.models.function(function.dotted)
        memory_files.note(arguments)
    elif isinstance(function, Method):
        receiver = function.receiver
        kind = _kind_of(rank, receiver)
        handler = rank.models.method(kind, function.name) if kind else None
    elif isinstance(function, Modelled):
        receiver, handler = function, rank.models.method(function.type_name, "__call__")
    fetches.check(rank, function, arguments)
    buffers.check_call(rank, function, arguments)
    file_accesses.note(rank, function, arguments)
    if rank.world.stale is not None:
        rank.world.stale.written(rank, function, arguments.values)
    if handler is None:
        return (yield from _unknown(rank, function, arguments, span))
    given = (rank, arguments) if receiver is MISSING else (rank, receiver, arguments)
    if rank.models.communicates(handler):
        return (yield from handler(*given))
    return handler(*given)


def _on_first_argument(rank: Rank, function: Value, arguments: Arguments) -> tuple[Value, Arguments]:
    """``MPI.Comm.Clone(comm)`` as ``comm.Clone()``."""
    if not isinstance(function, Library) or not arguments.values or not isinstance(arguments.values[0], Modelled):
        return function, arguments
    owner, _, name = function.dotted.rpartition(".")
    first, *others = arguments.values
    if owner not in _CLASSES or rank.models.method(first.type_name, name) is None:
        return function, arguments
    return Method(first, name), Arguments(tuple(others), arguments.keywords)


_CLASSES = frozenset(MEMBERS + name for name in COMMUNICATOR_CLASSES)


def _kind_of(rank: Rank, receiver: Value) -> str:
    """The type whose methods a value has; those of known containers cannot be applied to unknown ones."""
    if isinstance(receiver, Symbol):
        return f"unknown {receiver.kind}" if receiver.kind in _DATA else receiver.kind
    return rank.models.type_of(receiver)


_DATA = frozenset({"list", "tuple", "dict", "set", "range", "str", "bytes", "int", "float", "bool", "complex"})


def _unknown(rank: Rank, function: Value, arguments: Arguments, span: ir.Span) -> Running:
    """A call without a model: a symbol; one that may communicate is an event for the communicators it is handed."""
    if isinstance(function, Library) and rank.models.is_pure(function.dotted):
        if isinstance(arguments.keywords.get("out"), Array):
            array_changes.forget(rank, arguments.keywords["out"], function, *arguments.values)
            return arguments.keywords["out"]
        return rank.symbol("call", function, *arguments.values, dict(arguments.keywords))
    if isinstance(function, (int, float, str, type(None), list, tuple, dict)):
        raise unfit(function)
    if isinstance(function, Method) and isinstance(function.receiver, (list, dict, set)):
        raise Cut("a method of a container that may change it")
    every = arguments.every()
    if rank.world.stale is not None:
        rank.world.stale.handed([function, *every])
    release([function, *every])
    file_accesses.note_unknown(rank, function, every)
    handed = communicators_in([function, *every])
    if handed:
        yield Opaque(rank.place(span), rank.program.name_of(function), handed)
    for value in every:
        if isinstance(value, Array) and not value.is_jax:
            array_changes.forget(rank, value, function, span, is_guess=True)
    known_receiver = isinstance(function, Method) and isinstance(function.receiver, (Symbol, Array))
    is_guess = not known_receiver or getattr(function.receiver, "is_guess", False)
    result = rank.symbol("call", function, *arguments.values, dict(arguments.keywords), is_guess=is_guess)
    if known_receiver and function.name in own_extremes.EXTREMES:
        own_extremes.keep(rank, result)
    return result


def call_function(
    rank: Rank, function: FunctionValue, args: tuple[Value, ...], keywords: dict[str, Value], span: ir.Span
) -> Running:
    """Call a function of the project; a generator function gives a generator."""
    replaced = rank.program.intercept(rank, function)
    if replaced is not None:
        return (yield from replaced(rank, function, Arguments(args, keywords), span))
    if function.ir.is_async:
        raise Cut("asynchronous code")
    if function.ir.is_too_large:
        raise Cut("a function that is too large")
    failing_calls.check(rank, function, args)
    if rank.frames:
        rank.called.add((rank.frames[-1].scope.module.ir.path, span))
    key: object = None
    if "cached" in function.decorators:
        key = freeze((args, keywords))
        if key in function.cache:
            return function.cache[key]
    scope = Scope(bind(rank, function, args, keywords), function.scope.module, function.scope)
    if function.ir.is_generator:
        generator = _generator(rank, function, scope, span)
        if "contextmanager" not in function.decorators:
            return generator
        return Managed(generator, partial(call_function, rank, function, args, keywords, span))
    frame = rank.frame(function.ir, scope, span)
    frame.callee = function
    result = yield from rank.run(frame)
    if key is not None:
        function.cache[key] = result
    return result


def _generator(rank: Rank, function: FunctionValue, scope: Scope, span: ir.Span) -> GeneratorValue:
    frame = rank.frame(function.ir, scope, span)
    frame.callee = function
    return GeneratorValue(rank.run(frame), function, frame)


def advance(rank: Rank, generator: GeneratorValue, error: ProgramError | None = None, sent: Value = None) -> Running:
    """The next value of a generator, `EXHAUSTED` at its end; events inside are passed on.

    Its frames lie on those of its consumer while it runs.
    """
    if generator.is_done:
        return EXHAUSTED
    if inspect.getgeneratorstate(generator.running) == inspect.GEN_RUNNING:
        raise fail("ValueError")
    outer = rank.frames
    if generator.frame is not None and outer and outer[-1].span is not None:
        generator.frame.place = (outer[-1].scope.module.ir, outer[-1].span)
    response: Value = sent
    rank.frames = outer + generator.frames
    try:
        while True:
            if error is not None:
                raised, error = error, None
                item = generator.running.throw(raised)
            else:
                item = generator.running.send(response if generator.started else None)
            generator.started = True
            if isinstance(item, Yielded):
                generator.frames = rank.frames[len(outer) :]
                loops = (state for frame in generator.frames for state in frame.iterators.values())
                generator.is_sampled = generator.is_sampled or any(state.length for state in loops)
                return item.value
            response = yield item
    except StopIteration as end:
        generator.is_done = True
        generator.result = end.value
        return EXHAUSTED
    except BaseException:
        generator.is_done = True
        raise
    finally:
        rank.frames = outer


def next_item(rank: Rank, state: Iterator) -> Running:
    """The next item of an iterator, `EXHAUSTED` at its end."""
    if state.generator is not None:
        return (yield from advance(rank, state.generator))
    if state.position >= len(state.items):
        return EXHAUSTED
    state.position += 1
    return state.items[state.position - 1]


def iterate(rank: Rank, iterable: Value) -> Iterator:
    """The items of an iterable; the number of those of a symbol is decided."""
    if isinstance(iterable, Iterator):
        return iterable
    if isinstance(iterable, GeneratorValue):
        return Iterator([], 0, iterable)
    if getattr(iterable, "wrapped", None) is not None:
        return iterate(rank, iterable.wrapped)
    if isinstance(iterable, (list, tuple, set, frozenset, dict, str, bytes, range)):
        joined_lists.note_whole(rank, iterable)
        iterable = open_tables.keys(iterable) if isinstance(iterable, dict) else iterable
        return Iterator(container_items.ordered(rank, iterable), is_guessed=isinstance(iterable, GuessedList))
    if isinstance(iterable, Array):
        return Iterator(container_items.rows(rank, iterable), is_guessed=iterable.shape is None or iterable.is_guessed)
    described = getattr(iterable, "items_for", None)
    if described is not None:
        found = described(rank)
        return Iterator(list(found), is_guessed=isinstance(found, GuessedList))
    if isinstance(iterable, Symbol):
        return Iterator(container_items.guess(rank, iterable), is_guessed=lengths.stated(iterable) is None)
    if derived.has_base(iterable) and isinstance(iterable.cls.find("__iter__"), LibraryMethod):
        return iterate(rank, derived.base_of(iterable))
    if isinstance(iterable, (Instance, ClassValue)):
        return _of_project(rank, iterable)
    if isinstance(iterable, (int, float, type(None))):
        raise unfit(iterable)
    return Iterator(container_items.guess(rank, rank.symbol("items", iterable)), is_guessed=True)


def _of_project(rank: Rank, iterable: Instance | ClassValue) -> Iterator:
    """The items of an object of the project, by its special methods; the members of an enumeration."""
    if isinstance(iterable, ClassValue):
        if iterable.is_enumeration and iterable.enumerated:
            return Iterator(list(dict.fromkeys(iterable.enumerated.values())))
    elif is_iterable(iterable):
        handed: list[Value] = []
        return Iterator([], 0, GeneratorValue(_items_of(rank, iterable, handed), items=handed))
    elif iterable.cls.is_tuple:
        return Iterator(list(iterable.fields.values()))
    return Iterator(container_items.guess(rank, rank.symbol("items", iterable)), is_guessed=True)


def is_iterable(value: Instance) -> bool:
    """Whether the class says how to iterate."""
    return any(value.cls.find(name) is not MISSING for name in ("__iter__", "__getitem__"))


def _items_of(rank: Rank, value: Instance, handed: list[Value]) -> Running:
    """Yields the items of an object of the project; ``handed`` gets those of a container, if they are known."""
    span = rank.state.get("span", (0, 0))
    method = value.cls.find("__iter__")
    source: Value = value
    if method is not MISSING:
        source = yield from call(rank, method, (value,), {}, span)
        if not isinstance(source, Instance):
            state = iterate(rank, source)
            handed += [] if state.is_guessed else state.items
            while (item := (yield from next_item(rank, state))) is not EXHAUSTED:
                yield Yielded(item)
            return None
    name, end = ("__next__", "StopIteration") if method is not MISSING else ("__getitem__", "IndexError")
    step = source.cls.find(name)
    if step is MISSING:
        raise fail("TypeError")
    for position in range(operations.MAX_TEXT):
        try:
            item = yield from call(rank, step, (source, position) if name == "__getitem__" else (source,), {}, span)
        except ProgramError as error:
            if error.value.name == end:
                return None
            raise
        yield Yielded(item)
    raise Cut("a loop without a known end")


def as_exception(rank: Rank, value: Value) -> Raised:
    """The exception that a ``raise`` of a value raises."""
    if isinstance(value, Raised):
        return value
    if isinstance(value, ClassValue):
        return Raised(value, (), {"*made": True} if value.find("__init__") is MISSING else {})
    if isinstance(value, Instance):
        return Raised(value.cls, (), value.fields)
    if isinstance(value, Library):
        return Raised(value.dotted)
    return Raised("unknown.Exception")
