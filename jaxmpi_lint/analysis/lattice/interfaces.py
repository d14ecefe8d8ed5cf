"""What the lower packages ask of the program: protocols, which the classes of ``analysis.model`` fulfil.

The data flow of a function asks the project about other functions, and the project is made of functions. With these
protocols each side names the other without importing it. Beside them stand the events that such a function has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from jaxmpi_lint.analysis import ir as nodes
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import (
    ClassReference,
    Communicator,
    Entity,
    Environment,
    FunctionReference,
    Instance,
    Literal,
    Named,
    Uniformity,
    Value,
)
from jaxmpi_lint.library.catalogue import Catalogue
from jaxmpi_lint.library.model import Operation, Transform
from jaxmpi_lint.settings.settings import Settings

Service = TypeVar("Service")
Key = tuple[str, str]
"""The path of a file and the qualified name of a function in it."""


class Graph(Protocol):
    """Control flow between the blocks of one function."""

    @property
    def exit(self) -> int:
        """The index of the virtual block behind every end."""

    @property
    def successors(self) -> Sequence[tuple[int, ...]]:
        """Where each block leads."""

    @property
    def predecessors(self) -> Sequence[Sequence[int]]:
        """What leads to each block."""

    def reachable(self, start: int, stop: int | None = None) -> frozenset[int]:
        """The blocks on the ways from one block, not going through another."""

    def immediate_postdominator(self, block: int) -> int:
        """Where all ways from a block meet."""

    def always_passes(self, block: int, other: int) -> bool:
        """Whether every way from a block leads through the other."""


class Flow(Protocol):
    """The fixpoint of the data flow of one function."""

    entries: list[Environment | None]
    calls: dict[nodes.Span, BoundCall]
    returns: Value | None
    exit: Environment
    tests: dict[int, Value]
    field_writes: dict[str, Value]
    global_writes: dict[str, Value]

    @property
    def function(self) -> Function:
        """The function."""

    @property
    def evaluator(self) -> ExpressionEvaluator:
        """Evaluates its expressions."""

    def step(self, step: nodes.Step, env: Environment) -> None:
        """Carry out one step on what names hold."""

    def environment_before(self, block: int, step: nodes.Step | None) -> Environment:
        """What names hold before a step, or before the terminator of a block."""


class CallBinder(Protocol):
    """Resolves the calls of one function."""

    def forget(self) -> None:
        """Start a block."""

    def remember(self, bound: BoundCall, env: Environment) -> Value:
        """The result of a call, kept for the rest of the block."""

    def recall(self, span: nodes.Span, result: Value) -> None:
        """Keep the result of a call for the rest of the block."""

    def bind(self, call: nodes.Call, env: Environment) -> BoundCall:
        """Resolve a call."""

    def bind_arguments(self, function: FunctionReference, bound: BoundCall, env: Environment) -> dict[str, Value]:
        """What the parameters of a called function get."""


class ExpressionEvaluator(Protocol):
    """Evaluates the expressions of one function."""

    module: nodes.Module
    held_roots: set[str]

    @property
    def function(self) -> Function:
        """The function."""

    @property
    def project(self) -> Program:
        """The program that the function belongs to."""

    @property
    def calls(self) -> CallBinder:
        """What resolves its calls."""

    def value(self, expression: nodes.Expression, env: Environment) -> Value:
        """What is known about an expression."""

    def attribute(self, base: Value, node: nodes.Attribute, env: Environment) -> Value:
        """What is known about an attribute of a value."""

    def joined(self, values: list[Value], entity: Any = None) -> Value:
        """A value computed from others."""

    def extent(self, bounds: list[Value]) -> Uniformity:
        """How alike the length of a slice is."""

    def text(self, parts: list[Value], span: nodes.Span) -> Value:
        """A text made of values."""

    def world_rank(self, span: nodes.Span, message: str) -> Value:
        """The rank in the world."""

    def left_over(self, span: nodes.Span) -> Uniformity:
        """How alike the length of a remainder is."""

    def rank_of(self, communicator: Communicator, span: nodes.Span) -> Value:
        """The rank in a communicator."""


class RunConstants(Protocol):
    """The constants of one run of a function."""

    @property
    def given(self) -> Mapping[str, Literal]:
        """Those that a call passes."""

    def decided(self, test: nodes.Expression) -> bool | None:
        """Whether a test holds in this run; None if that is open."""

    def results(self, node: nodes.BooleanOperation) -> list[nodes.Expression]:
        """The operands that may be the result."""

    def passed(self, arguments: Mapping[str, nodes.Expression]) -> Mapping[str, Literal]:
        """The constants among the arguments of a call."""

    @property
    def function(self) -> Function:
        """The function that is run."""

    def of(self, expression: nodes.Expression, depth: int = 0) -> Literal | None:
        """The constant that an expression is."""

    def outcome(self, test: nodes.Expression, depth: int = 0) -> bool | None:
        """Whether a test holds; None if the constants do not settle it."""


class Run(Protocol):
    """A called function as one call runs it."""

    @property
    def function(self) -> Function:
        """The function that is run."""

    @property
    def arguments(self) -> dict[str, Value]:
        """What its parameters get."""

    @property
    def rename(self) -> Callable[[Communicator], Communicator]:
        """Gives its communicators in the terms of the caller."""

    @property
    def inherited(self) -> bool:
        """Whether it is a method run for an object of a derived class."""

    @property
    def key(self) -> Key:
        """Path and qualified name."""

    def constants(self, caller: Any) -> RunConstants:
        """The constants of this run, given those of the run of its caller."""


SIZES = (2, 3, 4, 5)
"""Numbers of processes for which roots are computed."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """A root or a reduction operator: its value if it is ``known``, else how it is written.

    ``ranks`` are the roots in communicators of a few sizes, if they follow from the size.
    """

    text: str = ""
    known: bool = True
    uniformity: Uniformity = field(default=Uniformity(), compare=False)
    ranks: tuple[int, ...] = field(default=(), compare=False)

    def surely_differs(self, other: Agreed) -> bool:
        """Whether two are different, however many processes there are."""
        if self.known and other.known:
            return self.text != other.text
        mine, theirs = self._by_size(), other._by_size()
        return bool(mine and theirs) and all(a != b for a, b in zip(mine, theirs, strict=True))

    def _by_size(self) -> tuple[int, ...]:
        return (int(self.text),) * len(SIZES) if self.known and self.text.isdigit() else self.ranks


@dataclass(frozen=True, slots=True)
class Place:
    """A call inside a called function."""

    module: nodes.Module
    span: nodes.Span


@dataclass(frozen=True, slots=True)
class Event:
    """One call that other processes have to match, or may have to.

    ``label`` is what has to agree: operation, communicator's context, blocking or not; ``root`` and ``reduction`` have
    to agree where both are known. ``span`` and ``block`` are those of the call in the function that is looked at;
    ``trail`` leads on from there to the communication, if it is in a called function. An ``opaque`` event is a call
    whose communication is not known in detail; its label is what is called, and ``callee`` the function to look into.
    The call of a function that does nothing but one communication is that communication.
    """

    label: tuple[str, ...]
    span: nodes.Span
    block: int
    operation: Operation | None = None
    communicator: Communicator | None = None
    root: Agreed = Agreed()
    reduction: Agreed = Agreed()
    callee: Run | None = field(default=None, compare=False)
    trail: tuple[Place, ...] = field(default=(), compare=False)

    @property
    def opaque(self) -> bool:
        """Whether it is not known what exactly the call communicates."""
        return self.operation is None

    @property
    def known_operation(self) -> Operation:
        """The operation of an event that is not opaque: an internal error for opaque ones."""
        if self.operation is None:
            raise LookupError(f"the event at {self.span} is opaque: it has no operation")
        return self.operation

    @property
    def trail_spans(self) -> tuple[nodes.Span, ...]:
        """The places in the called functions."""
        return tuple(place.span for place in self.trail)

    @property
    def title(self) -> str:
        """How a message names the event."""
        where = f" on {self.communicator.label}" if self.communicator is not None else ""
        return f"`{self.known_operation.method}`{where}"


class Function(Protocol):
    """One function of the program."""

    ir: nodes.Function
    module: nodes.Module
    key: Key
    run: str
    sizes: frozenset[int]

    @property
    def project(self) -> Program:
        """The program."""

    @property
    def module_model(self) -> Module:
        """The file."""

    @property
    def parent(self) -> Function | None:
        """The enclosing function."""

    @property
    def self_name(self) -> str | None:
        """The first parameter of a method that is no static method."""

    @property
    def flow(self) -> Flow:
        """The fixpoint."""

    @property
    def graph(self) -> Graph:
        """Control flow."""

    @property
    def evaluator(self) -> ExpressionEvaluator:
        """Evaluates expressions of this function."""

    @property
    def constants(self) -> RunConstants:
        """The constants of this run."""

    @property
    def assignments(self) -> dict[str, dict[nodes.Span, nodes.Expression]]:
        """The values that plain assignments give to names and attributes."""

    @property
    def attributes_read(self) -> dict[str, set[str]]:
        """The attributes that are read of each name."""

    @property
    def bound_otherwise(self) -> frozenset[str]:
        """Names that something else than a plain assignment binds."""

    @property
    def tested_names(self) -> frozenset[str]:
        """Names on which a branch depends."""

    @property
    def written_inside(self) -> frozenset[str]:
        """Names that inner functions write."""

    @property
    def bound_in_part(self) -> frozenset[str]:
        """Names that some ways through the function leave unbound."""

    @property
    def places_stored(self) -> tuple[nodes.Expression, ...]:
        """What the function assigns to."""

    @property
    def library_names(self) -> frozenset[str | None]:
        """The names of what is called of libraries."""

    @property
    def methods_called(self) -> dict[str, set[str]]:
        """The methods that are called on each name."""

    @property
    def sorted_places(self) -> frozenset[str | None]:
        """What is sorted in place."""

    @property
    def calls_by_callee(self) -> Mapping[type, list[BoundCall]]:
        """Every reachable call by the class of what is called."""

    @property
    def any_call_may_communicate(self) -> bool:
        """Whether a call of the function may pass data between processes, those that are not resolved included."""

    @property
    def operation_calls(self) -> tuple[BoundCall, ...]:
        """The reachable calls that are operations of a communication library."""

    @property
    def running_calls(self) -> tuple[BoundCall, ...]:
        """The calls that are operations, or may run a function of the project."""

    @property
    def calls_by_block(self) -> tuple[tuple[int, BoundCall], ...]:
        """Every reachable call with its block."""

    @property
    def calls_of_functions(self) -> tuple[tuple[int, BoundCall, FunctionReference], ...]:
        """The calls that run a function of the project."""

    @property
    def leaving(self) -> frozenset[int]:
        """Blocks that end the process."""

    def get(self, derived: Callable[[Any], Service]) -> Service:
        """The one instance of something derived of this function."""

    def run_with(
        self,
        passed: Mapping[str, Value],
        sizes: frozenset[int] = ...,
        given: Mapping[str, Literal] | None = None,
        parent: Any = None,
    ) -> Function:
        """The function as one call runs it."""

    def forget(self) -> None:
        """Drop what was found out from variables of an enclosing function whose own data flow was not complete."""

    def run_where(self, chosen: Any) -> Function:
        """The function as it runs with certain settings."""

    def inner_functions(self) -> Iterator[Function]:
        """The functions that see the variables of this one."""

    def is_conditional(self, span: nodes.Span) -> bool:
        """Whether a place lies in a statement or expression that chooses between arms."""

    def is_local(self, name: str) -> bool:
        """Whether the function itself binds the name."""

    def rebinds(self, name: str) -> bool:
        """Whether a name is bound more than once."""

    def free_name(self, name: str) -> Value:
        """A name that is not bound here."""

    def final_value(self, name: str) -> Value:
        """What a local variable holds at the end."""

    def path_scope(self, root: str) -> str:
        """Where the object that a name stands for lives."""

    def initial_environment(self) -> Environment:
        """What the parameters hold on entry."""

    def held_by(self, name: nodes.Name, value: Value, made_by: nodes.Expression | None) -> Value:
        """What a name holds that a value is assigned to."""

    def annotated(self, value: Value, annotation: nodes.Expression) -> Value:
        """A value that its annotation declares to be a communicator is one."""

    def value(self, expression: nodes.Expression, env: Environment) -> Value:
        """What is known about an expression."""

    def bound(self, call: nodes.Call) -> BoundCall | None:
        """A call, resolved."""

    def calls(self) -> Collection[BoundCall]:
        """Every reachable call, resolved."""

    def steps(
        self, wanted: Callable[[nodes.Step], object] = ...
    ) -> Iterator[tuple[nodes.Block, nodes.Step, Environment]]:
        """Every reachable step that is wanted, with what names hold before it."""

    def branches(self) -> Sequence[tuple[nodes.Block, nodes.Branch, Value]]:
        """Every reachable branch and the value of its test."""

    def loops_around(self, span: nodes.Span) -> list[tuple[nodes.Block, nodes.Branch]]:
        """The loops that a place lies in."""

    def block_events(self, block: int) -> list[Event]:
        """What a block communicates."""

    def block_may_communicate(self, block: int) -> bool:
        """Whether a call of a block may pass data between processes."""


class ClassDefinition(Protocol):
    """One class of the program."""

    ir: nodes.Class

    @property
    def project(self) -> Program:
        """The program."""

    @property
    def module_model(self) -> Module:
        """The file."""

    @property
    def reference(self) -> ClassReference:
        """What stands for the class."""

    @property
    def direct_bases(self) -> tuple[Entity | None, ...]:
        """What its bases stand for, None for an unknown one."""

    @property
    def bases(self) -> tuple[ClassReference | Named, ...]:
        """The known bases."""

    @property
    def linearization(self) -> Sequence[ClassDefinition]:
        """The class and its bases in the order of look-ups."""

    @property
    def library_bases(self) -> frozenset[str]:
        """The names of its bases that are classes of libraries."""

    @property
    def fields_from_parameters(self) -> dict[str, str]:
        """The fields that the constructor sets to its parameters, and which."""

    @property
    def fields(self) -> dict[str, Value]:
        """What the fields hold."""

    def forget(self) -> None:
        """Drop what was found out from methods whose data flow was not that of the complete program."""

    def method(self, name: str) -> FunctionReference | None:
        """A method by its name."""


class Module(Protocol):
    """One file of the program."""

    ir: nodes.Module
    told_early: dict[str, Value | None]

    @property
    def project(self) -> Program:
        """The program."""

    @property
    def with_operations(self) -> Sequence[Function]:
        """The functions with calls of a communication library."""

    def function(self, qualname: str) -> Function:
        """A function by its qualified name."""

    def mentions(self, parts: tuple[str, ...]) -> bool:
        """Whether the text has one of these parts."""

    def names(self, words: tuple[str, ...]) -> bool:
        """Whether the text has one of these names, by itself."""

    @property
    def body(self) -> Function:
        """The module's own statements."""

    @property
    def written_names(self) -> frozenset[str]:
        """Names that functions of the module declare global."""

    @property
    def connects_processes(self) -> bool:
        """Whether this file makes the JAX processes one program."""

    def functions(self) -> Sequence[Function]:
        """Every function."""

    def class_model(self, qualname: str) -> ClassDefinition:
        """A class by its qualified name."""

    @property
    def inner(self) -> dict[str, list[str]]:
        """The functions and class bodies that stand directly in each function."""

    def global_value(self, name: str) -> Value | None:
        """What a global name holds once the module has run."""

    def named(self, expression: nodes.Expression) -> Value:
        """What a name stands for outside of any function."""

    def is_declared_uniform(self, span: nodes.Span) -> bool:
        """Whether a comment declares what a statement computes to be equal on every process."""


class Objects(Protocol):
    """What is known of the objects that the program makes."""

    def created(self, made: Instance, constructor: FunctionReference, arguments: dict[str, Value]) -> None:
        """Keep what a constructor gets."""

    def is_given_differing(self, owner: Instance) -> bool:
        """Whether the constructor got something that differs between the processes."""

    def argument(self, owner: Instance, parameter: str) -> Value:
        """What the constructor got for a parameter."""

    def inherited(self, method: Any, owner: Instance | None) -> Function | None:
        """A method as an object of a derived class runs it."""

    def field(self, value: Value, owner: Instance) -> Value:
        """A field of an object as seen from outside."""

    def seen_from_outside(self, communicator: Communicator, owner: Instance) -> Communicator:
        """A communicator of an object in the terms of whoever made the object."""


class Decorators(Protocol):
    """What decorators of the program put in place of functions."""

    def wrapper(self, function: Any) -> Function | None:
        """The function that is put in place of another one."""

    def decorator_span(self, function: Any) -> nodes.Span | None:
        """Where the decorator is named."""


class Contexts(Protocol):
    """Functions as their callers run them."""

    def of(self, function: Any) -> Sequence[Function]:
        """The runs of a function whose arguments differ between processes."""

    def with_constants(self, function: Any, given: Mapping[str, Literal]) -> Function:
        """The function as calls run it that pass certain constants."""


class Summaries(Protocol):
    """Whether functions, calls and properties may or must communicate."""

    @property
    def properties(self) -> frozenset[str]:
        """The names of properties that may communicate."""

    def function_must_communicate(self, key: Key) -> Event | None:
        """The one communication that a function is, whatever path is taken through it."""

    def forget(self, key: Key) -> None:
        """Drop what was found out about a function."""

    def forget_silent(self) -> None:
        """Drop that functions do not communicate."""

    def body_may_communicate(self, function: Any) -> bool:
        """Whether a function itself has an operation on more than its own process."""

    def call_may_communicate(self, bound: BoundCall, module: nodes.Module) -> bool:
        """Whether a call in a module may pass data between processes."""

    def function_may_communicate(self, key: Key) -> bool:
        """Whether a resolved call in a function, or in what it calls, may pass data between processes."""

    def property_may_communicate(self, reference: FunctionReference) -> bool:
        """Whether a method is a property that may communicate."""


class Shapes(Protocol):
    """Classes told by the attributes that are used."""

    def instance(self, function: Any, parameter: str, key: str) -> Value | None:
        """An object of the only class that has the attributes which a function uses of a parameter."""


class Traced(Protocol):
    """The functions that JAX traces."""

    def note(self, function: FunctionReference, transform: Transform, module: nodes.Module, span: nodes.Span) -> None:
        """A transform was applied to a function."""

    def reached(self, function: Any) -> dict[int, Any]:
        """The blocks of a function that run under a tracer, and why."""

    def trace_of(self, function: Any) -> Any:
        """Why a function is traced; None if it is not."""

    def story(self, function: Any, last: Any = None) -> list[Any]:
        """How a function comes under a tracer, from the transform on."""


class Program(Protocol):
    """All modules that were read."""

    settings: Settings
    catalogue: Catalogue
    rank_names: frozenset[str]
    builtins: frozenset[str]

    @property
    def objects(self) -> Objects:
        """The objects that the program makes."""

    @property
    def decorators(self) -> Decorators:
        """What decorators put in place of functions."""

    @property
    def contexts(self) -> Contexts:
        """Functions as their callers run them."""

    @property
    def summaries(self) -> Summaries:
        """What functions do as a whole."""

    @property
    def shapes(self) -> Shapes:
        """Classes told by the attributes that are used."""

    @property
    def traced(self) -> Traced:
        """The functions that JAX traces."""

    def get(self, service: Callable[[Any], Service]) -> Service:
        """The one instance of a service of the project."""

    @property
    def has_mpi_evidence(self) -> bool:
        """Whether some module uses MPI."""

    @property
    def packages(self) -> frozenset[str]:
        """The outermost packages and modules."""

    def modules(self) -> Iterable[Module]:
        """Every module that was read."""

    def reported_modules(self) -> Iterable[Module]:
        """The modules whose findings are wanted."""

    def files_imported(self, module: nodes.Module, target: str) -> list[str]:
        """The files of the project that an import runs."""

    def module(self, path: str) -> Module | None:
        """A module by its path."""

    def function(self, path: str, qualname: str) -> Function | None:
        """A function by path and qualified name."""

    def class_model(self, reference: ClassReference | Instance) -> ClassDefinition | None:
        """A class of the project."""

    def is_running(self, function: Any) -> bool:
        """Whether the data flow of a function cannot be asked for now."""

    @property
    def is_of_mpi(self) -> bool:
        """Whether anything may be a communicator."""

    def new_run(self) -> str:
        """A name for a function as one call runs it."""

    def running(self, function: Any) -> AbstractContextManager[None]:
        """Marks a function while its data flow is computed."""

    def self_value(self, path: str, qualname: str, by_class: bool) -> Value:
        """What the first parameter of a method holds."""

    def running_once(self, what: str, purpose: str) -> AbstractContextManager[bool]:
        """True for the outermost of nested computations of the same thing."""

    def canonical(self, dotted: str) -> str:
        """The name under which the tables know a library symbol."""

    def mentions(self, words: tuple[str, ...]) -> bool:
        """Whether the text of some module has one of these words."""

    def imported(self, module: nodes.Module, target: str) -> Value:
        """What an import binds in a module."""

    def library_symbol(self, dotted: str) -> Value:
        """What a dotted name of a library stands for."""

    def module_attribute(self, path: str, name: str) -> Value:
        """An attribute of a module of the project."""

    def member(self, owner: Instance | ClassReference, name: str) -> Value:
        """A field, property or method of an object or class."""

    def may_be_communicator(self, name: str) -> bool:
        """Whether a name that nothing else explains counts as a communicator."""

    def guessed_communicator(self, context: str, label: str) -> Value:
        """A communicator known by its access path only."""

    def is_communicator_class(self, reference: ClassReference) -> bool:
        """Whether a class derives from one of mpi4py's communicators."""

    def is_uniform(self, path: str | None) -> bool:
        """Whether the configuration declares an expression to be equal everywhere."""

    def wrapper_operations(self, reference: FunctionReference) -> tuple[Operation, ...]:
        """Operations that the configuration says a function of the project is."""

    def has_common_seed(self, dotted: str, path: str) -> bool:
        """Whether what a library function draws at random in a file may be equal on every process."""
