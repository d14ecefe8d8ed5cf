"""Protocols of the parts of a program, as far as they do not lead back to its functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir as nodes
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Environment, Instance, Literal, Uniformity, Value
from jaxmpi_lint.analysis.lattice.views import CallBinder

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object  # never checked at run time, and creating protocols takes longer than parsing a file


class FlowView(Protocol):
    """The values that the data flow of one function computes."""

    entries: list[Environment | None]
    calls: dict[nodes.Span, BoundCall]
    returns: Value | None
    exit: Environment
    tests: dict[int, Value]
    field_writes: dict[str, Value]
    chosen_fields: dict[str, Value]
    global_writes: dict[str, Value]

    def step(self, step: nodes.Step, env: Environment) -> None:
        """Apply the effect of one step to an environment."""

    def environment_before(self, block: int, step: nodes.Step | None) -> Environment:
        """The values of names before a step, or before the terminator of a block."""


class EvaluatorView(Protocol):
    """What an evaluator of expressions computes."""

    module: nodes.Module
    held_roots: set[str]

    @property
    def calls(self) -> CallBinder:
        """The resolver of the function's calls."""

    def value(self, expression: nodes.Expression, env: Environment) -> Value:
        """The abstract value of an expression."""

    def attribute(self, base: Value, node: nodes.Attribute, env: Environment) -> Value:
        """The abstract value of an attribute of a value."""

    def joined(self, values: list[Value], entity: Any = None) -> Value:
        """A value computed from others."""

    def extent(self, bounds: list[Value]) -> Uniformity:
        """The uniformity of the length of a slice."""

    def distance(self, bounds: tuple[nodes.Expression, nodes.Expression], env: Environment) -> Uniformity:
        """The uniformity of the number of elements between two bounds that both depend on the rank."""

    def element_of(self, iterable: Value, span: nodes.Span) -> Value:
        """The element that one iteration over a value yields."""

    def text(self, parts: list[Value], span: nodes.Span) -> Value:
        """A string formatted from values."""

    def world_rank(self, span: nodes.Span, message: str) -> Value:
        """The rank in the world."""

    def left_over(self, span: nodes.Span) -> Uniformity:
        """The uniformity of the length of a remainder."""

    def rank_of(self, communicator: Communicator, span: nodes.Span) -> Value:
        """The rank in a communicator."""


class ConstantsView(Protocol):
    """The constants of one activation of a function."""

    @property
    def given(self) -> Mapping[str, Literal]:
        """The constants that a call passes."""

    def decided(self, test: nodes.Expression) -> bool | None:
        """Whether a test holds in this activation; None if unknown."""

    def results(self, node: nodes.BooleanOperation) -> list[nodes.Expression]:
        """The operands that may be the result."""

    def passed(self, arguments: Mapping[str, nodes.Expression]) -> Mapping[str, Literal]:
        """The constants among the arguments of a call."""

    def of(self, expression: nodes.Expression, depth: int = 0) -> Literal | None:
        """The constant value of an expression."""

    def outcome(self, test: nodes.Expression, depth: int = 0) -> bool | None:
        """Whether a test holds; None if the constants do not determine it."""


class ModuleView(Protocol):
    """What one file can be asked."""

    ir: nodes.Module
    told_early: dict[str, Value | None]

    def mentions(self, parts: tuple[str, ...]) -> bool:
        """Whether the text contains one of these substrings."""

    def names(self, words: tuple[str, ...]) -> bool:
        """Whether the text contains one of these names as a whole word."""

    @property
    def written_names(self) -> frozenset[str]:
        """Names that functions of the module declare global."""

    @property
    def connects_processes(self) -> bool:
        """Whether this file makes the JAX processes one program."""

    @property
    def inner(self) -> dict[str, list[str]]:
        """The functions and class bodies directly inside each function."""

    def global_value(self, name: str) -> Value | None:
        """The value of a global name once the module has run."""

    def named(self, expression: nodes.Expression) -> Value:
        """The value of a name outside of any function."""

    def is_declared_uniform(self, span: nodes.Span) -> bool:
        """Whether a comment declares the computed value of a statement to be equal on all processes."""


class ObjectsView(Protocol):
    """Facts about the objects that the program creates."""

    def created(self, made: Instance, groups: Any, arguments: Mapping[str, Value]) -> None:
        """Keep the arguments of a constructor."""

    def is_given_differing(self, owner: Instance) -> bool:
        """Whether the constructor received a value that differs between the processes."""

    def argument(self, owner: Instance, parameter: str) -> Value:
        """The argument that the constructor received for a parameter."""

    def field(self, value: Value, owner: Instance) -> Value:
        """A field of an object in terms of its user."""

    def passed_on(self, made: Instance, groups: Any, place: str) -> Instance:
        """An object in terms of the caller of the function that created it."""

    def seen_from_outside(self, communicator: Communicator, owner: Instance) -> Communicator:
        """A communicator of an object in terms of the object's creator."""
