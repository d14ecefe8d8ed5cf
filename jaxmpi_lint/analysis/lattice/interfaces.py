"""What the lower packages ask of the program: protocols, which the classes of ``analysis.model`` fulfil.

The data flow of a function asks the project about other functions, and the project is made of functions. With these
protocols each side names the other without importing it. Beside them stand the events that such a function has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from jaxmpi_lint.analysis import ir as nodes
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.event_parts import SAME, Agreed, Place
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
from jaxmpi_lint.analysis.lattice.views import CallBinder, FunctionView, ProgramView
from jaxmpi_lint.library.model import Operation

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = (
        object  # nothing asks at run time what fulfils them, and to make protocols takes longer than to parse a file
    )

Service = TypeVar("Service")
Key = tuple[str, str]
"""The path of a file and the qualified name of a function in it."""


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
    root: Agreed = SAME
    reduction: Agreed = SAME
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


class Function(FunctionView, Protocol):
    """One function of the program."""

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
    def flow(self) -> Flow:
        """The fixpoint."""

    @property
    def evaluator(self) -> ExpressionEvaluator:
        """Evaluates expressions of this function."""

    @property
    def constants(self) -> RunConstants:
        """The constants of this run."""

    def run_with(
        self,
        passed: Mapping[str, Value],
        sizes: frozenset[int] = ...,
        given: Mapping[str, Literal] | None = None,
        parent: Any = None,
    ) -> Function:
        """The function as one call runs it."""

    def run_where(self, chosen: Any) -> Function:
        """The function as it runs with certain settings."""

    def inner_functions(self) -> Iterator[Function]:
        """The functions that see the variables of this one."""

    def block_events(self, block: int) -> list[Event]:
        """What a block communicates."""


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


class Program(ProgramView, Protocol):
    """All modules that were read."""

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

    def modules(self) -> Iterable[Module]:
        """Every module that was read."""

    def reported_modules(self) -> Iterable[Module]:
        """The modules whose findings are wanted."""

    def module(self, path: str) -> Module | None:
        """A module by its path."""

    def function(self, path: str, qualname: str) -> Function | None:
        """A function by path and qualified name."""

    def class_model(self, reference: ClassReference | Instance) -> ClassDefinition | None:
        """A class of the project."""
