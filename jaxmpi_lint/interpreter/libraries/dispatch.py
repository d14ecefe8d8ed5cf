"""`functools.singledispatch`: functions that are selected by the type of their argument; `total_ordering`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import evaluation
from jaxmpi_lint.interpreter.libraries.builtin_types import is_instance
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import MISSING, ClassValue, Cut, FunctionValue, Instance, Library, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class Dispatch(Modelled):
    """A generic function; ``position`` is that of the argument whose type selects, 1 for a method."""

    __slots__ = ("function", "position", "table")
    type_name = "generic function"
    is_function = True

    def __init__(self, function: Value, position: int) -> None:
        self.function = function
        self.position = position
        self.table: list[tuple[Value, Value]] = []

    def freeze(self, depth: int) -> object:
        """The function for all other types."""
        return "generic function", freeze(self.function, depth)


class Registration:
    """``function.register(kind)``, a decorator."""

    def __init__(self, dispatch: Dispatch, kinds: list[Value]) -> None:
        self.dispatch = dispatch
        self.kinds = kinds

    def decorate(self, _rank: Rank, value: Value) -> Value:
        """Register a function for the types."""
        self.dispatch.table += [(kind, value) for kind in self.kinds]
        return value

    def freeze(self, depth: int) -> object:
        """The types."""
        return "registration", *(freeze(kind, depth) for kind in self.kinds)


def _generic(position: int) -> Handler:
    return lambda rank, arguments: Dispatch(arguments.get(0), position)


def _register(rank: Rank, dispatch: Dispatch, arguments: Arguments) -> Value:
    given, function = arguments.get(0, "cls"), arguments.get(1, "func")
    if isinstance(given, FunctionValue):
        return Registration(dispatch, _annotated(rank, given, dispatch.position)).decorate(rank, given)
    registration = Registration(dispatch, [given])
    return registration if function is None else registration.decorate(rank, function)


def _annotated(rank: Rank, function: FunctionValue, position: int) -> list[Value]:
    """The types that the annotation of a parameter names."""
    parameters = function.ir.parameters
    annotation = parameters[position].annotation if len(parameters) > position else None
    if annotation is None:
        raise Cut(_UNKNOWN)
    return [evaluation.evaluate(rank, rank.frames[-1], node) for node in _types_in(annotation)]


def _types_in(annotation: ir.Expression) -> Iterator[ir.Expression]:
    """The classes of a union; those of a generic alias without its parameters."""
    match annotation:
        case ir.BinaryOperation(operator="|", left=left, right=right):
            yield from _types_in(left)
            yield from _types_in(right)
        case ir.Subscript(value=ir.Name(id="Union") | ir.Attribute(attr="Union"), index=ir.Collection(elements=parts)):
            for part in parts:
                yield from _types_in(part)
        case ir.Subscript(value=owner):
            yield owner
        case _:
            yield annotation


def _apply(rank: Rank, dispatch: Dispatch, arguments: Arguments) -> Running:
    function = _selected(rank, dispatch, arguments.get(dispatch.position))
    return (yield from rank.call(function, arguments.values, dict(arguments.keywords), rank.state["span"]))


def _dispatched(rank: Rank, dispatch: Dispatch, arguments: Arguments) -> Value:
    kind = arguments.get(0)
    exact = [function for one, function in dispatch.table if one == kind]
    if not exact:
        raise Cut(_UNKNOWN)
    return exact[-1]


def _selected(rank: Rank, dispatch: Dispatch, value: Value) -> Value:
    """The function for the narrowest of the types that a value has."""
    outcomes = [(is_instance(rank, value, kind), kind, function) for kind, function in dispatch.table]
    if any(outcome is None for outcome, _, _ in outcomes):
        raise Cut(_UNKNOWN)
    fitting = [(kind, function) for outcome, kind, function in outcomes if outcome]
    if isinstance(value, Instance):
        order = value.cls.order()
        fitting.sort(key=lambda one: order.index(one[0]) if one[0] in order else len(order))
    else:
        fitting.sort(key=lambda one: isinstance(one[0], Library) and one[0].dotted in _WIDE)
    return fitting[0][1] if fitting else dispatch.function


_UNKNOWN = "a function that is selected by the type of its argument"
_WIDE = frozenset({"builtins.object", "builtins.int", "typing.Any", "builtins.tuple"})
"""Types that may be the base of a different registered one, such as bool."""


def _total_ordering(rank: Rank, arguments: Arguments) -> Value:
    """The class with the comparisons that it lacks, made of the one that it has."""
    cls = arguments.get(0)
    if isinstance(cls, ClassValue):
        given = [name for name in _COMPARISONS if cls.find(name) is not MISSING]
        missing = [name for name in _COMPARISONS if name not in given]
        cls.members.update((name, Comparison(given[0], name)) for name in missing if given)
    return cls


class Comparison(Modelled):
    """A comparison that is made of the one named ``given`` and of equality."""

    __slots__ = ("given", "name")
    type_name = "made comparison"
    is_function = True

    def __init__(self, given: str, name: str) -> None:
        self.given = given
        self.name = name

    def freeze(self, _depth: int) -> object:
        """The names."""
        return "comparison", self.given, self.name


_COMPARISONS = ("__lt__", "__gt__", "__le__", "__ge__")


def _compare(rank: Rank, comparison: Comparison, arguments: Arguments) -> Running:
    owner = arguments.get(0)
    span = rank.state["span"]
    result = yield from rank.call(owner.cls.find(comparison.given), arguments.values, {}, span)
    holds = rank.truth(result)
    if comparison.name[2] != comparison.given[2]:  # the opposite direction
        if (comparison.name[3] == "t") is (comparison.given[3] == "e"):
            return not holds
        same = yield from _equal(rank, arguments)
        return (not holds and not same) if comparison.name[3] == "t" else (not holds or same)
    same = yield from _equal(rank, arguments)
    return (holds or same) if comparison.name[3] == "e" else (holds and not same)


def _equal(rank: Rank, arguments: Arguments) -> Running:
    method = arguments.get(0).cls.find("__eq__")
    if method is MISSING:
        return arguments.get(0) is arguments.get(1)
    return rank.truth((yield from rank.call(method, arguments.values, {}, rank.state["span"])))


DECORATORS: dict[str, Handler] = {
    "functools.singledispatch": _generic(0),
    "functools.singledispatchmethod": _generic(1),
    "functools.total_ordering": _total_ordering,
}
FUNCTIONS: dict[str, Any] = dict(DECORATORS)
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "generic function": {"__call__": _apply, "register": _register, "dispatch": _dispatched},
    "made comparison": {"__call__": _compare},
}
