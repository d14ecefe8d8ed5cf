"""Protocols through which the lower packages query one function or the program, without naming other parts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar

from jaxmpi_lint.analysis import ir as nodes
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import (
    ClassReference,
    Environment,
    FunctionReference,
    Instance,
    Value,
)
from jaxmpi_lint.library.catalogue import Catalogue
from jaxmpi_lint.library.model import Operation, Transform
from jaxmpi_lint.settings.settings import Settings

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object  # never checked at run time, and creating protocols takes longer than parsing a file

Service = TypeVar("Service")
Key = tuple[str, str]
"""The path of a file and the qualified name of a function in it."""


class Graph(Protocol):
    """Control flow between the blocks of one function."""

    @property
    def exit(self) -> int:
        """The index of the virtual exit block."""

    @property
    def successors(self) -> Sequence[tuple[int, ...]]:
        """The successors of each block."""

    @property
    def predecessors(self) -> Sequence[Sequence[int]]:
        """The predecessors of each block."""

    def reachable(self, start: int, stop: int | None = None) -> frozenset[int]:
        """The blocks on the paths from one block that avoid another."""

    def immediate_postdominator(self, block: int) -> int:
        """The first block that lies on all paths from a block."""

    def always_passes(self, block: int, other: int) -> bool:
        """Whether every path from a block leads through the other."""


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

    def result(self, bound: BoundCall, env: Environment) -> Value:
        """What a call returns."""

    def bind_arguments(self, function: FunctionReference, bound: BoundCall, env: Environment) -> dict[str, Value]:
        """The values of the parameters of a called function."""


class Shapes(Protocol):
    """Duck typing: classes identified by the attributes that are used."""

    def instance(self, function: Any, parameter: str, key: str) -> Value | None:
        """An object of the only class with the attributes that a function uses on a parameter."""

    def attributes(self, reference: ClassReference) -> frozenset[str]:
        """The names of the methods and fields of a class."""


class Traced(Protocol):
    """The functions that JAX traces."""

    def note(self, function: FunctionReference, transform: Transform, module: nodes.Module, span: nodes.Span) -> None:
        """Record that a transform is applied to a function."""

    def reached(self, function: Any) -> dict[int, Any]:
        """The blocks of a function that run under a tracer, and the reasons."""

    def trace_of(self, function: Any) -> Any:
        """The reason why a function is traced; None if it is not."""

    def story(self, function: Any, last: Any = None) -> list[Any]:
        """Why a function is traced: the chain of calls from the transform on."""


class FunctionView(Protocol):
    """Queries about a function that do not name other functions."""

    ir: nodes.Function
    module: nodes.Module
    key: Key
    run: str
    sizes: frozenset[int]

    @property
    def self_name(self) -> str | None:
        """The first parameter of a method that is not static."""

    @property
    def graph(self) -> Graph:
        """Control flow."""

    @property
    def assignments(self) -> dict[str, dict[nodes.Span, nodes.Expression]]:
        """The values of plain assignments to names and attributes."""

    @property
    def attributes_read(self) -> dict[str, set[str]]:
        """The attributes that are read of each name."""

    @property
    def bound_otherwise(self) -> frozenset[str]:
        """Names bound in any way other than a plain assignment."""

    @property
    def tested_names(self) -> frozenset[str]:
        """Names on which a branch depends."""

    @property
    def written_inside(self) -> frozenset[str]:
        """Names that inner functions write."""

    @property
    def bound_in_part(self) -> frozenset[str]:
        """Names assigned a part of a value, or a modified one."""

    @property
    def places_stored(self) -> tuple[nodes.Expression, ...]:
        """The assignment targets of the function that are no plain names."""

    @property
    def library_names(self) -> frozenset[str | None]:
        """The names of called library functions."""

    @property
    def methods_called(self) -> dict[str, set[str]]:
        """The methods that are called on each name."""

    @property
    def sorted_places(self) -> frozenset[str | None]:
        """The names and chains of attributes with an element that is sorted in place."""

    @property
    def calls_by_callee(self) -> Mapping[type, list[BoundCall]]:
        """Every reachable call by the class of what is called."""

    @property
    def any_call_may_communicate(self) -> bool:
        """Whether a call of the function may pass data between processes, unresolved calls included."""

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
        """The one instance of a service of this function."""

    def forget(self) -> None:
        """Discard facts that depend on variables of an enclosing function whose own data flow was incomplete."""

    def is_conditional(self, span: nodes.Span) -> bool:
        """Whether a position lies in a statement or expression that chooses between alternatives."""

    def is_local(self, name: str) -> bool:
        """Whether the function itself binds the name."""

    def rebinds(self, name: str) -> bool:
        """Whether a name is bound more than once."""

    def free_name(self, name: str) -> Value:
        """The value of a name that is not bound here."""

    def final_value(self, name: str) -> Value:
        """The final value of a local variable."""

    def path_scope(self, root: str) -> str:
        """The scope of the object that a name stands for."""

    def initial_environment(self) -> Environment:
        """The values of the parameters on entry."""

    def held_by(self, name: nodes.Name, value: Value, made_by: nodes.Expression | None) -> Value:
        """The value of a name that a value is assigned to."""

    def annotated(self, value: Value, annotation: nodes.Expression) -> Value:
        """A value; a communicator if its annotation declares it to be one."""

    def value(self, expression: nodes.Expression, env: Environment) -> Value:
        """The abstract value of an expression."""

    def bound(self, call: nodes.Call) -> BoundCall | None:
        """A call, resolved."""

    def calls(self) -> Collection[BoundCall]:
        """Every reachable call, resolved."""

    def steps(
        self, wanted: Callable[[nodes.Step], object] = ...
    ) -> Iterator[tuple[nodes.Block, nodes.Step, Environment]]:
        """Every reachable step that is wanted, with the environment before it."""

    def branches(self) -> Sequence[tuple[nodes.Block, nodes.Branch, Value]]:
        """Every reachable branch and the value of its test."""

    def loops_around(self, span: nodes.Span) -> list[tuple[nodes.Block, nodes.Branch]]:
        """The loops around a position."""

    def block_may_communicate(self, block: int) -> bool:
        """Whether a call of a block may pass data between processes."""


class ProgramView(Protocol):
    """Queries about the program that do not name its parts."""

    settings: Settings
    catalogue: Catalogue
    rank_names: frozenset[str]
    builtins: frozenset[str]

    @property
    def shapes(self) -> Shapes:
        """Duck typing: classes identified by the attributes that are used."""

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

    def imported_files(self, module: nodes.Module) -> Iterator[str]:
        """The files of the project that the imports of a module run."""

    def files_imported(self, module: nodes.Module, target: str) -> list[str]:
        """The files of the project that an import runs."""

    def run_modules(self) -> None:
        """Compute the data flows of the bodies of all modules, if that has not been done."""

    def is_running(self, function: Any) -> bool:
        """Whether the data flow of a function is unavailable now."""

    @property
    def is_busy(self) -> bool:
        """Whether some data flow is being computed."""

    @property
    def is_of_mpi(self) -> bool:
        """Whether there may be communicators."""

    def new_run(self) -> str:
        """A name for a specialised function."""

    def running(self, function: Any) -> AbstractContextManager[None]:
        """Mark a function while its data flow is computed."""

    def self_value(self, path: str, qualname: str, by_class: bool) -> Value:
        """The value of the first parameter of a method."""

    def running_once(self, what: str, purpose: str) -> AbstractContextManager[bool]:
        """True for the outermost of nested computations of the same thing."""

    def canonical(self, dotted: str) -> str:
        """The name under which the tables know a library symbol."""

    def mentions(self, words: tuple[str, ...]) -> bool:
        """Whether the text of some module contains one of these words."""

    def imported(self, module: nodes.Module, target: str) -> Value:
        """The value that an import binds in a module."""

    def library_symbol(self, dotted: str) -> Value:
        """The value of a dotted name of a library."""

    def module_attribute(self, path: str, name: str) -> Value:
        """An attribute of a module of the project."""

    def member(self, owner: Instance | ClassReference, name: str) -> Value:
        """A field, property or method of an object or class."""

    def may_be_communicator(self, name: str) -> bool:
        """Whether a name without a known value counts as a communicator."""

    def guessed_communicator(self, context: str, label: str) -> Value:
        """A communicator known only by its access path."""

    def is_communicator_class(self, reference: ClassReference) -> bool:
        """Whether a class derives from one of mpi4py's communicators."""

    def is_uniform(self, path: str | None) -> bool:
        """Whether the configuration declares an expression to be equal on all processes."""

    def wrapper_operations(self, reference: FunctionReference) -> tuple[Operation, ...]:
        """The operations that a function of the project stands for according to the configuration."""

    def has_common_seed(self, dotted: str, path: str) -> bool:
        """Whether random numbers of a library function in a file may be equal on all processes."""
