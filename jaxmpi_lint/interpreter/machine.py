"""One rank of a world: runs the blocks of functions, one step after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import (
    assignment,
    branches,
    calls,
    evaluation,
    failures,
    flag_members,
    handled_names,
    imports,
    lazy_generators,
    loops,
    operations,
    unattended,
)
from jaxmpi_lint.interpreter.arrays import Array, scalar
from jaxmpi_lint.interpreter.certain_failures import unbound_name
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.contexts import enter, leave, leave_all
from jaxmpi_lint.interpreter.definitions import define_class, define_function
from jaxmpi_lint.interpreter.events import Place
from jaxmpi_lint.interpreter.exceptions import catches, trusted
from jaxmpi_lint.interpreter.frames import Frame, prepare
from jaxmpi_lint.interpreter.raised import ProgramError, Raised, fail, following
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.unknown_methods import as_data
from jaxmpi_lint.interpreter.used_items import UsedItems
from jaxmpi_lint.interpreter.values import (
    MISSING,
    Cut,
    Iterator,
    Library,
    ModuleValue,
    NeedsCall,
    NotMeant,
    Running,
    Scope,
    Value,
    Yielded,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.entries import Entry
    from jaxmpi_lint.interpreter.interfaces import ProgramView
    from jaxmpi_lint.interpreter.models import Models

_SOURCES = "/sources/"
"""What `__file__` begins with: where the linter finds a file says nothing about where it lies when it runs."""

MAX_FRAMES = 64
_DATA = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type(None), range)


class Rank:
    """The state of one rank; ``run_entry`` is its whole program."""

    def __init__(self, number: int, world: Any) -> None:
        self.number = number
        self.world = world
        self.program: ProgramView = world.program
        self.models: Models = world.program.models
        self.modules: dict[str, ModuleValue] = {}
        self.frames: list[Frame] = []
        self.entered: set[int] = set()
        self.turns: list[Turn] = []
        self.called: set[tuple[str, ir.Span]] = set()
        self.asked: list[tuple[Symbol, bool]] = []
        self.serials: dict[object, int] = {}
        self.turn: tuple[int, int, int] = (0, 0, 0)
        self.state: dict[str, Any] = {}
        self.used = UsedItems()

    # --- services ---

    def symbol(self, *key: object, **options: Any) -> Symbol:
        """A symbol of the world's table."""
        made: Symbol = self.world.symbols.make(*key, **options)
        return made

    def own(self, tag: str, *key: object, kind: str = "") -> Symbol:
        """A value of this rank alone, new at each call: a clock, a random number."""
        return self._made(
            self.symbol("own", tag, self.number, self.serial((tag, freeze(key))), *key, own=(tag,), kind=kind)
        )

    def identity(self, tag: str, *key: object, kind: str = "") -> Symbol:
        """A value of this rank alone, the same at each call: a process number, the name of the host."""
        return self._made(self.symbol("own", tag, self.number, 0, *key, own=(tag,), kind=kind))

    def _made(self, symbol: Symbol) -> Symbol:
        """Keep the place where a value of this rank alone is made, for the explanation of a fault."""
        if self.frames:
            frame = self.frames[-1]
            self.world.origins.setdefault(symbol, (frame.scope.module.ir, self.state.get("span", frame.span)))
        return symbol

    def serial(self, key: object) -> int:
        """How often the key was used before in this rank."""
        seen = self.serials.get(key, 0)
        self.serials[key] = seen + 1
        return seen

    def canonical(self, dotted: str) -> str:
        """The name under which the models know a library symbol."""
        return self.program.canonical(dotted)

    def truth(self, value: Value) -> bool:
        """The outcome of a test; that of a symbol is decided for the whole world."""
        value = as_data(self, value)
        if isinstance(value, Symbol):
            outcome: bool = self.world.decide(value, self)
            self.asked.append((value, outcome))
            return outcome
        described = getattr(value, "truth", None)
        if described is not None:
            return bool(described(self))
        if isinstance(value, _DATA):
            if isinstance(value, GuessedList):
                self.asked.append((self.symbol("guessed", len(value)), bool(value)))
            return bool(value)
        if isinstance(value, Array):
            return self.truth(scalar(self, value))
        return flag_members.number(value) != 0

    def builtin(self, name: str, module: ModuleValue) -> Value:
        """A built-in name; another name is unbound."""
        for library in reversed(module.scope.names.get("*star", ())):
            dotted = self.canonical(f"{library}.{name}")
            if self.models.is_known(dotted):
                return self.models.constant(self, dotted)
        if self.program.is_builtin(name):
            return Library(f"builtins.{name}")
        if name == "__file__":
            return _SOURCES + module.ir.path
        if module.scope.names.get("*star") is not None or name.startswith("__"):
            return self.symbol("global", module, name)
        raise unbound_name(name, module)

    def call(self, function: Value, args: tuple[Value, ...], keywords: Mapping[str, Value], span: ir.Span) -> Running:
        """Call a value."""
        return (yield from calls.call(self, function, args, keywords, span))

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """``left operator right``, without special methods."""
        return operations.binary(self, operator, left, right)

    @property
    def events(self) -> int:
        """The number of events so far."""
        return len(self.world.processes[self.number].log)

    def expects(self, kind: str) -> bool:
        """Whether the current function has a handler that names an exception, after which it goes on."""
        return failures.expects(self, kind)

    def place(self, span: ir.Span) -> Place:
        """The place of a step in the current frame, with the calls that led to it."""
        frame = self.frames[-1]
        calls_before = tuple(one.place for one in self.frames[1:])
        return Place(frame.scope.module.ir, span, calls_before, tuple(one.path for one in self.frames))

    def passes(self, iterable: Value) -> list[Value]:
        """The items of a container whose loop makes no calls; those of a generator are computed by one."""
        state = calls.iterate(self, iterable)
        if state.generator is None:
            return self.used.take(state)
        implicit, key = self.frames[-1].implicit, ("value", "items", id(iterable))
        if key not in implicit:
            node = ir.Constant(self.state.get("span", (0, 0)), None)
            raise NeedsCall(node, Library("builtins.list"), (iterable,), key=key)
        if not isinstance(implicit[key], Iterator):
            implicit[key] = Iterator(implicit[key], is_guessed=isinstance(implicit[key], GuessedList))
        return self.used.take(implicit[key])

    def sample(self, items: Iterable[Value]) -> list[Value]:
        """All items of a short loop, the first ones and the last of a long one."""
        return loops.sample(self, items)

    # --- modules ---

    def run_entry(self, entry: Entry) -> Running:
        """Run a file as the main program, or a function of it."""
        try:
            if entry.function:
                yield from unattended.call_alone(self, entry)
            else:
                yield from self.run_module(entry.module, "__main__")
        except ProgramError as error:
            hook = self.state.get("assigned", {}).get("sys.excepthook")
            if hook is not None and error.value.name != "SystemExit":
                if isinstance(hook, Library):
                    raise Cut("an exception hook of a library") from None
                yield from self.call(hook, (error.value.kind, error.value, None), {}, (0, 0))
            raise
        for function, args, keywords in reversed(self.state.get("exits", [])):
            yield from self.call(function, args, keywords, (0, 0))

    def run_module(self, module: ir.Module, name: str) -> Running:
        """Run the body of a file, once."""
        known = self.modules.get(module.path)
        if known is not None:
            return known
        found = self.modules[module.path] = ModuleValue(module)
        found.scope.names.update({"__name__": name, "__doc__": None})
        yield from self.run(self.frame(module.body, found.scope, None))
        found.is_ready = True
        return found

    def module_attribute(self, owner: ModuleValue, name: str) -> Value:
        """A global name of a module of the project, or one of its submodules."""
        value = owner.scope.names.get(name, MISSING)
        if value is not MISSING:
            return value
        submodule = self.program.submodule(owner.ir, name)
        if submodule is not None and submodule.path in self.modules:
            return self.modules[submodule.path]
        if not owner.is_ready or submodule is not None or owner.scope.names.get("*star") is not None:
            return self.symbol("global", owner, name)
        raise fail("AttributeError", name)

    # --- frames ---

    def frame(self, function: ir.Function, scope: Scope, span: ir.Span | None, key: object = None) -> Frame:
        """A new frame, called from the current one at a span."""
        if len(self.frames) >= MAX_FRAMES:
            raise Cut("calls are nested too deeply")
        parent = self.frames[-1] if self.frames else None
        count = 0
        if parent is not None and span is not None:
            count = parent.calls.get(span[0], 0)
            parent.calls[span[0]] = count + 1
        path = self.world.program.path(
            (parent.path if parent else 0, span, count, function.qualname, scope.module.ir.path)
        )
        self.entered.add(path)
        place = (parent.scope.module.ir, span) if parent is not None and span is not None else None
        return Frame(function, scope, path, prepare(function), place=place)

    def run(self, frame: Frame, at: lazy_generators.Position = (0, 0)) -> Running:
        """Run a frame to its end; its value is what it returns."""
        self.frames.append(frame)
        try:
            index, start = at
            while True:
                block = frame.function.blocks[index]
                frame.block = index
                if self.world.stale is not None:
                    self.world.stale.meet(self, frame, index)
                try:
                    position = yield from self.steps(frame, block, start)
                    if position == lazy_generators.END:
                        return None
                    if position is not None:
                        index, start = position
                        continue
                    outcome = yield from self.settle(frame, partial(self.terminate, frame, block))
                    if frame.implicit:
                        frame.implicit.clear()
                    if isinstance(outcome, tuple):
                        return outcome[0]
                    self._prepare_loop(frame, index, outcome)
                    index, start = outcome, 0
                except ProgramError as error:
                    trusted(error)
                    self._unwind(frame)
                    if frame.lazy is not None:
                        raise
                    index, start = yield from self.handle(frame, block, error)
        finally:
            if frame in self.frames:
                self._unwind(frame)
                self.frames.pop()

    def _unwind(self, frame: Frame) -> None:
        """Drop the frames above one; not by number, since those of a generator lie on its consumer's."""
        while self.frames and self.frames[-1] is not frame:
            self.frames.pop()

    def steps(self, frame: Frame, block: ir.Block, start: int) -> Running:
        """Run the steps of a block; where to continue, if not with what follows."""
        for step in block.steps[start:] if start else block.steps:
            self.world.count_step()
            frame.span = step.span
            if isinstance(step, ir.Evaluate):
                yield from calls.evaluate_call(self, frame, step)
            elif isinstance(step, ir.Assign):
                if step.value is not None:
                    yield from self.settle(frame, partial(assignment.assign, self, frame, step))
            elif isinstance(step, ir.Collect):
                position = yield from self._collect(frame, step)
                if position is not None:
                    return position
            else:
                yield from self._other(frame, step)
            if frame.implicit:
                frame.implicit.clear()
        return None

    def _collect(self, frame: Frame, step: ir.Collect) -> Running:
        """A part of a comprehension; where to continue, if not with the next step."""
        if frame.lazy is not step.comprehension:
            position = lazy_generators.begin(self, frame, step)
            if position is None:
                yield from self.settle(frame, partial(loops.collect, self, frame, step))
            return position
        if step.action == "end":
            return lazy_generators.END
        yield Yielded((yield from self.settle(frame, partial(evaluation.element, self, frame, frame.lazy))))
        return None

    def _other(self, frame: Frame, step: ir.Step) -> Running:
        match step:
            case ir.AugmentedAssign():
                yield from self.settle(frame, partial(assignment.augment, self, frame, step))
            case ir.Define():
                if step.is_class:
                    yield from define_class(self, frame, step)
                else:
                    yield from define_function(self, frame, step)
            case ir.Import():
                yield from imports.run_import(self, frame, step)
            case ir.Enter():
                yield from enter(self, frame, step)
            case ir.Leave(is_raised=False):
                yield from leave(self, frame, step.context)
            case ir.Delete():
                yield from self.settle(frame, partial(assignment.delete, self, frame, step))
            case ir.Keep(value=value):
                frame.captured.pop(id(value), None)
                frame.captured[id(value)] = yield from self.settle(
                    frame, partial(evaluation.evaluate, self, frame, value)
                )
            case ir.Discard(value=ir.Subscript() | ir.Attribute() | ir.BinaryOperation() | ir.Name() as value):
                yield from self.settle(frame, partial(evaluation.evaluate, self, frame, value))

    def settle(self, frame: Frame, compute: Callable[[], Value]) -> Running:
        """A value whose computation may need properties and special methods."""
        while True:
            self.used.begin()
            try:
                return compute()
            except NeedsCall as need:
                self.used.restore()
                span = need.expression.span
                result = yield from calls.call(self, need.function, need.args, need.keywords, span)
                frame.implicit[need.key] = result
                if need.keep is not None:
                    owner, name = need.keep
                    owner.fields[name] = result

    # --- control flow ---

    def terminate(self, frame: Frame, block: ir.Block) -> Any:
        """The next block, or the returned value in a tuple."""
        self.world.count_step()
        terminator = block.terminator
        frame.span = terminator.span
        if isinstance(terminator, ir.Jump):
            return terminator.target
        if isinstance(terminator, ir.Branch):
            return branches.decide(self, frame, block, terminator)
        if isinstance(terminator, ir.Return):
            return (None if terminator.value is None else evaluation.evaluate(self, frame, terminator.value),)
        assert isinstance(terminator, ir.Raise)
        raise self._raised(frame, terminator)

    def _prepare_loop(self, frame: Frame, source: int, target: int) -> None:
        """Forget the iterator of a loop that begins anew, whose header was made after the block before it."""
        if frame.handling:
            handled_names.leave(frame, target)
        if source < target and target in frame.iterators:
            del frame.iterators[target]

    # --- exceptions ---

    def _raised(self, frame: Frame, terminator: ir.Raise) -> ProgramError:
        place = (frame.scope.module.ir, terminator.span)
        if terminator.value is None or (frame.caught is not None and frame.caught.name == "AssertionError"):
            if frame.caught is None and place[0].source(place[1]).startswith("assert"):
                if self.asked:  # the first operand of a test with several
                    raise NotMeant("an assertion that does not hold")
                return ProgramError(Raised("AssertionError", (), {"*place": place}), place)
            if frame.caught is None:
                raise Cut("a bare raise outside of a handler")
            return ProgramError(frame.caught, frame.caught.fields.get("*place", place))
        value = evaluation.evaluate(self, frame, terminator.value)
        value = calls.as_exception(self, value)
        value.fields.setdefault("*place", place)
        value.fields["*explicit"] = True
        if terminator.cause is not None:
            value.fields["__cause__"] = evaluation.evaluate(self, frame, terminator.cause)
        return following(ProgramError(value, place), frame.caught)

    def handle(self, frame: Frame, block: ir.Block, error: ProgramError) -> Running:
        """Where an exception goes on in the frame; it is raised again if no handler takes it."""
        place = error.value.fields.setdefault("*place", error.place or (frame.scope.module.ir, frame.span or (0, 0)))
        error.place = place
        for entry in block.handlers:
            handler = frame.prepared.handlers.get(entry)
            tried = frame.prepared.tries.get(entry)
            resumed, error = yield from leave_all(self, frame, error, tried.extent if tried is not None else (0, 0))
            if resumed is not None:
                return resumed
            if handler is None or (yield from self.settle(frame, partial(catches, self, frame, handler, error.value))):
                frame.caught = error.value
                handled_names.enter(frame, handler, entry)
                self.turns.append(Turn.of_handler(frame, entry, handler, error, len(self.frames), self.events))
                return entry, 0
        resumed, error = yield from leave_all(self, frame, error, None)
        if resumed is not None:
            return resumed
        raise error
