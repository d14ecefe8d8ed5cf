"""What the parts of the interpreter use of a rank, its world and its program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.events import Event, Place
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.symbols import Symbol, Symbols
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.values import FunctionValue, Library, Running, Scope, Value
from jaxmpi_lint.interpreter.verdicts import Fault


class ModelsView(Protocol):
    """What is known of libraries (see `models.Models`)."""

    def communicates(self, handler: Callable[..., Any]) -> bool:
        """Whether a handler is a generator function."""

    def function(self, dotted: str) -> Callable[..., Any] | None:
        """The model of a library function."""

    def method(self, type_name: str, name: str) -> Callable[..., Any] | None:
        """The model of a method."""

    def has_method(self, type_name: str, name: str) -> bool:
        """Whether the method is known."""

    def is_known(self, dotted: str) -> bool:
        """Whether a library has a function or a constant of this name, as far as it is modelled."""

    def is_pure(self, dotted: str) -> bool:
        """Whether a function without a model only computes."""

    def attribute(self, rank: Any, owner: Library, name: str) -> Value:
        """A name of a library."""

    def constant(self, rank: Any, dotted: str) -> Value:
        """A name of a library, as an import binds it."""

    def type_of(self, value: Value) -> str:
        """The name of the type under which methods are known."""

    def of_data(self, rank: Any, owner: Value, name: str) -> Value:
        """An attribute of a plain value or array."""

    def of_symbol(self, rank: Any, owner: Symbol, name: str) -> Value:
        """An attribute of an unknown value."""


class ProgramView(Protocol):
    """The program of all ranks."""

    lazy: set[int]

    @property
    def models(self) -> ModelsView:
        """What is known of libraries."""

    def canonical(self, dotted: str) -> str:
        """The name under which the models know a library symbol."""

    def path(self, key: object) -> int:
        """A number for a chain of calls."""

    def locate(self, importer: ir.Module, target: str) -> tuple[ir.Module | None, str]:
        """The file that an import finds, and the rest of the name."""

    def files_before(self, importer: ir.Module, target: str) -> list[ir.Module]:
        """The packages that an import runs before the file itself."""

    def submodule(self, package: ir.Module, name: str) -> ir.Module | None:
        """A submodule of a package."""

    def is_builtin(self, name: str) -> bool:
        """Whether Python has a built-in name."""

    def is_declared_uniform(self, module: ir.Module, span: ir.Span) -> bool:
        """Whether a comment declares the values of a statement to be equal on all ranks."""

    def is_uniform(self, expression: ir.Expression) -> bool:
        """Whether the settings declare an expression to be equal on all ranks."""

    def may_communicate(self, module: ir.Module, function: ir.Function) -> bool:
        """Whether a function, or one that it calls, may communicate."""

    def name_of(self, function: Value) -> str:
        """The name of a callee in messages."""

    def intercept(self, rank: Any, function: FunctionValue) -> Any:
        """A handler that stands for a function of the project, None for most."""

    def decorate(self, rank: Any, dotted: str, value: Value) -> Value:
        """What a decorator of a library makes of a function."""


class RankView(Protocol):
    """One rank of a world."""

    number: int
    program: Any
    frames: list[Frame]
    entered: set[int]
    turns: list[Turn]
    called: set[tuple[str, ir.Span]]
    asked: list[tuple[Symbol, bool]]
    turn: tuple[int, int, int]
    state: dict[str, Any]

    @property
    def models(self) -> ModelsView:
        """What is known of libraries."""

    @property
    def world(self) -> Any:
        """The world (see `WorldView`)."""

    def symbol(self, *key: object, **options: Any) -> Symbol:
        """A symbol of the world's table."""

    def own(self, tag: str, *key: object, kind: str = "") -> Symbol:
        """A value of this rank alone, new at each call."""

    def identity(self, tag: str, *key: object, kind: str = "") -> Symbol:
        """A value of this rank alone, the same at each call."""

    def serial(self, key: object) -> int:
        """How often the key was used before in this rank."""

    def canonical(self, dotted: str) -> str:
        """The name under which the models know a library symbol."""

    def truth(self, value: Value) -> bool:
        """The outcome of a test."""

    def builtin(self, name: str, module: Any) -> Value:
        """A built-in name."""

    def place(self, span: ir.Span) -> Place:
        """The place of a step in the current frame."""

    def passes(self, iterable: Value) -> list[Value]:
        """The items of a container whose loop makes no calls."""

    def sample(self, items: Iterable[Value]) -> list[Value]:
        """All items of a short loop, some of a long one."""

    def module_attribute(self, owner: Any, name: str) -> Value:
        """A global name of a module of the project."""

    def run_module(self, module: ir.Module, name: str) -> Running:
        """Run the body of a file, once."""

    def frame(self, function: ir.Function, scope: Scope, span: ir.Span | None) -> Frame:
        """A new frame."""

    def run(self, frame: Frame, at: tuple[int, int] = (0, 0)) -> Running:
        """Run a frame to its end."""

    def settle(self, frame: Frame, compute: Callable[[], Value]) -> Running:
        """A value whose computation may need calls of the program."""

    def call(self, function: Value, args: tuple[Value, ...], keywords: Mapping[str, Value], span: ir.Span) -> Running:
        """Call a value."""

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """``left operator right``, without special methods."""

    @property
    def events(self) -> int:
        """The number of events so far."""

    def expects(self, kind: str) -> bool:
        """Whether the current function has a handler that names an exception, after which it goes on."""


class ProcessView(Protocol):
    """A rank in the scheduler."""

    rank: Any
    log: list[Event]
    pending: Event | None
    is_over: bool
    error: Any

    @property
    def has_failed(self) -> bool:
        """Whether an exception has ended it, or an exit that tells a failure."""


class WorldView(Protocol):
    """A world."""

    symbols: Symbols
    size: int
    buffering: bool
    answers_all: bool
    opaque: set[int]
    slots: dict[tuple[int, int], dict[int, Any]]
    sequence: dict[tuple[int, int], int]
    mail: Any
    processes: Any
    decisions: Any
    program: Any
    is_bounded: bool
    names_other_size: bool
    is_too_small: bool
    named_sizes: set[int]
    thresholds: set[int]
    windows: dict[int, dict[int, Any]]
    sampled_frames: set[int]
    lengths: dict[object, int]
    samplers: dict[object, set[int]]
    notes: dict[object, Any]
    accesses: Any
    origins: dict[Symbol, tuple[ir.Module, ir.Span]]
    reads_size: bool
    compares_size: bool
    is_of_one: bool
    stale: Any

    def answer(self, process: Any, value: Any) -> None:
        """Resume a rank with the result of its event."""

    def communicator(self, *key: object) -> int:
        """A number for a communicator, equal for all of its members."""

    def report(self, fault: Fault) -> None:
        """Keep a fault that does not end the world."""
