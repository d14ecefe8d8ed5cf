"""Protocols through which the lower packages query the program; the classes of ``analysis.model`` implement them.

The data flow of a function queries the project about other functions, and the project consists of functions. With these
protocols each side refers to the other without importing it. The events of functions are defined here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from jaxmpi_lint.analysis import ir as nodes
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.event_parts import SAME, Agreed, Place
from jaxmpi_lint.analysis.lattice.lattice import (
    ClassReference,
    Communicator,
    Entity,
    FunctionReference,
    Instance,
    Literal,
    Named,
    Value,
)
from jaxmpi_lint.analysis.lattice.part_views import ConstantsView, EvaluatorView, FlowView, ModuleView, ObjectsView
from jaxmpi_lint.analysis.lattice.views import FunctionView, ProgramView
from jaxmpi_lint.library.model import Operation

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object  # never checked at run time, and creating protocols takes longer than parsing a file

Service = TypeVar("Service")
Key = tuple[str, str]
"""The path of a file and the qualified name of a function in it."""


class Flow(FlowView, Protocol):
    """The fixpoint of the data flow of one function."""

    @property
    def function(self) -> Function:
        """The function."""

    @property
    def evaluator(self) -> ExpressionEvaluator:
        """Evaluator of the function's expressions."""


class ExpressionEvaluator(EvaluatorView, Protocol):
    """Evaluates the expressions of one function."""

    @property
    def function(self) -> Function:
        """The function."""

    @property
    def project(self) -> Program:
        """The program that the function belongs to."""


class RunConstants(ConstantsView, Protocol):
    """The constants of one activation of a function."""

    @property
    def function(self) -> Function:
        """The function that is run."""


class Part(Enum):
    """The part of a function that is run: of a generator, its body up to a ``yield``, or from one on.

    A context manager is entered and left; the items of another generator are taken at once, or by a loop.
    """

    WHOLE = "whole"
    UP_TO_YIELD = "up to yield"
    FROM_YIELD = "from yield"
    ALL_ITEMS = "all items"
    FIRST_ITEM = "first item"
    NEXT_ITEM = "next item"


class Run(Protocol):
    """A called function, specialised for one call."""

    @property
    def function(self) -> Function:
        """The function that is run."""

    @property
    def arguments(self) -> dict[str, Value]:
        """The arguments by parameter."""

    @property
    def rename(self) -> Callable[[Communicator], Communicator]:
        """The substitution of its communicators by those of the caller."""

    @property
    def inherited(self) -> bool:
        """Whether it is a method run for an object of a derived class."""

    @property
    def part(self) -> Part:
        """The part of it that is run."""

    @property
    def key(self) -> Key:
        """Path and qualified name."""

    def constants(self, caller: Any) -> RunConstants:
        """The constants of this activation, given those of its caller."""


UNKNOWN = "unknown"
"""The first part of the label of an operation whose communicator, or its relation to others, is not known."""


@dataclass(frozen=True, slots=True)
class Event:
    """One call that other processes must match, or may have to.

    ``label`` is what must agree: operation, communicator's context, blocking or not; ``root`` and ``reduction`` must
    agree where both are known. ``span`` and ``block`` are those of the call in the analysed function; ``trail`` leads
    from there to the communication, if it is in a called function. An ``opaque`` event is a call whose communication is
    not known in detail; its label is the callee's name, and ``callee`` the function itself. The call of a function that
    consists of one communication is that communication. ``loop`` is the header of the loop for
    which it takes an item of a generator.
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
    loop: int = -1

    @property
    def opaque(self) -> bool:
        """Whether the communication of the call is not known in detail."""
        return self.operation is None

    @property
    def known_operation(self) -> Operation:
        """The operation of an event that is not opaque: an internal error for opaque ones."""
        if self.operation is None:
            raise LookupError(f"the event at {self.span} is opaque: it has no operation")
        return self.operation

    @property
    def trail_spans(self) -> tuple[nodes.Span, ...]:
        """The positions in the called functions."""
        return tuple(place.span for place in self.trail)

    @property
    def title(self) -> str:
        """The text for the event in a message."""
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
        """Evaluator of expressions of this function."""

    @property
    def constants(self) -> RunConstants:
        """The constants of this activation."""

    def run_with(
        self,
        passed: Mapping[str, Value],
        sizes: frozenset[int] = ...,
        given: Mapping[str, Literal] | None = None,
        parent: Any = None,
    ) -> Function:
        """The function specialised for one call."""

    def run_where(self, chosen: Any) -> Function:
        """The function specialised for certain settings."""

    def inner_functions(self) -> Iterator[Function]:
        """The functions that can access the variables of this one."""

    def block_events(self, block: int) -> list[Event]:
        """The communication of a block."""


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
        """The class as a value."""

    @property
    def direct_bases(self) -> tuple[Entity | None, ...]:
        """The values of its bases, None for an unknown one."""

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
        """The fields that the constructor sets to its parameters, and those parameters."""

    @property
    def fields(self) -> dict[str, Value]:
        """The values of the fields."""

    def forget(self) -> None:
        """Discard facts from methods whose data flow was computed before the program was complete."""

    def method(self, name: str) -> FunctionReference | None:
        """A method by its name."""


class Module(ModuleView, Protocol):
    """One file of the program."""

    @property
    def project(self) -> Program:
        """The program."""

    @property
    def with_operations(self) -> Sequence[Function]:
        """The functions with calls of a communication library."""

    def function(self, qualname: str) -> Function:
        """A function by its qualified name."""

    @property
    def body(self) -> Function:
        """The module's own statements."""

    def functions(self) -> Sequence[Function]:
        """Every function."""

    def class_model(self, qualname: str) -> ClassDefinition:
        """A class by its qualified name."""


class Objects(ObjectsView, Protocol):
    """Facts about the objects that the program creates."""

    def inherited(self, method: Any, owner: Instance | None) -> Function | None:
        """An inherited method specialised for an object of a derived class."""


class Decorators(Protocol):
    """The functions that decorators of the program substitute."""

    def wrapper(self, function: Any) -> Function | None:
        """The function that replaces a decorated one."""

    def decorator_span(self, function: Any) -> nodes.Span | None:
        """The position of the decorator's name."""

    def entities(self, function: Any) -> list[tuple[nodes.Expression, Entity | None]] | None:
        """The decorators of a function with what they name."""


class Contexts(Protocol):
    """Functions specialised for their callers."""

    def of(self, function: Any) -> Sequence[Function]:
        """The specialisations of a function whose arguments differ between processes."""

    def with_arguments(
        self, function: Any, arguments: Mapping[str, Value], given: Callable[[], Mapping[str, Literal]] = ...
    ) -> Function:
        """The function specialised for arguments that differ, to determine its result."""

    def at_call(self, caller: Any, bound: BoundCall, block: int) -> Function | None:
        """The function as one call runs it, if an argument differs."""

    def with_constants(self, function: Any, given: Mapping[str, Literal]) -> Function:
        """The function specialised for calls that pass certain constants."""


class Summaries(Protocol):
    """Whether functions, calls and properties may or must communicate."""

    def implicit_calls(self, function: Any) -> Any:
        """The implicit calls of a function that may communicate; None if it has none."""

    def placed_implicit_calls(self, function: Any) -> Sequence[tuple[int, Any]]:
        """The same, resolved, each with its block."""

    def function_must_communicate(self, key: Key) -> Event | None:
        """The only communication of a function, if it is executed on every path."""

    def forget(self, key: Key) -> None:
        """Discard facts about a function."""

    def forget_silent(self) -> None:
        """Discard the facts that functions do not communicate."""

    def body_may_communicate(self, function: Any) -> bool:
        """Whether a function itself has an operation on more than its own process."""

    def call_may_communicate(self, bound: BoundCall, module: nodes.Module) -> bool:
        """Whether a call in a module may pass data between processes."""

    def function_may_communicate(self, key: Key) -> bool:
        """Whether a resolved call in a function or its callees may pass data between processes."""

    def is_named_as_method(self, name: str, module: nodes.Module) -> bool:
        """Whether a method with this name has a communicating call."""


class Program(ProgramView, Protocol):
    """All modules that were read."""

    @property
    def objects(self) -> Objects:
        """The objects that the program creates."""

    @property
    def decorators(self) -> Decorators:
        """The functions that decorators substitute."""

    @property
    def contexts(self) -> Contexts:
        """Functions specialised for their callers."""

    @property
    def summaries(self) -> Summaries:
        """Summaries of functions."""

    @property
    def further_lines(self) -> int:
        """The lines of the files that were read for the interpreter alone."""

    def located(self, importer: nodes.Module, target: str) -> tuple[nodes.Module | None, str]:
        """The file of the project that an import of ``target`` finds, and the rest of the name."""

    def submodule(self, package: nodes.Module, name: str) -> nodes.Module | None:
        """A module inside of a package."""

    def packages_before(self, module: nodes.Module, target: str) -> list[nodes.Module]:
        """The packages that an import of ``target`` runs first."""

    def modules(self) -> Iterable[Module]:
        """Every module that was read."""

    def reported_modules(self) -> Iterable[Module]:
        """The modules to report."""

    def module(self, path: str) -> Module | None:
        """A module by its path."""

    def function(self, path: str, qualname: str) -> Function | None:
        """A function by path and qualified name."""

    def class_model(self, reference: ClassReference | Instance) -> ClassDefinition | None:
        """A class of the project."""
