"""Numbers that each process gives to the strings of a set, in an order that differs between processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import place_of
from jaxmpi_lint.analysis.cfg.passed_arguments import argument_of, is_parameter
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.nondeterminism.field_definitions import FieldDefinitions
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash
from jaxmpi_lint.analysis.nondeterminism.names_of_text import NAME_OF_TEXT
from jaxmpi_lint.analysis.nondeterminism.set_order import SetOrder, set_order
from jaxmpi_lint.analysis.participation.spmd_code import AllRanks
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_DEEPEST = 4
_SHARING = frozenset({"bcast", "Bcast", "scatter", "broadcast_one_to_all"})


@dataclass(frozen=True, slots=True)
class SetNumbering:
    """A table of numbers for the elements of a set that all processes have; ``iterable`` is what has their order."""

    function: Function
    iterable: ir.Expression
    table: Place
    order: SetOrder
    common: Step

    communication = None
    kind = "numbers"

    @property
    def place(self) -> Place:
        """The expression with the order of a set."""
        return Place(self.function.module, self.iterable.span)

    @property
    def is_text(self) -> bool:
        """Whether the elements are provably strings, whose hashes are salted."""
        return self.order.elements is Hash.SALTED

    @property
    def confidence(self) -> Confidence:
        """Medium: each process may use its numbers for itself."""
        return Confidence.MEDIUM

    @property
    def sorted_part(self) -> str:
        """The part of the expression to sort, as it is written."""
        return self.function.module.source(self.iterable.span)

    def steps(self) -> Iterator[Step]:
        """The collective, and the set if it is created elsewhere."""
        yield self.common
        if self.table.module is not self.function.module or not ir.contains(self.table.span, self.iterable.span):
            yield Step(self.table.module, self.table.span, "the elements are numbered here")
        source = self.order.source.span
        if source != (0, 0) and not (self.order.function is self.function and ir.contains(self.iterable.span, source)):
            yield Step(self.order.function.module, source, "a set: its order differs between processes")


def set_numberings(function: Function) -> Iterator[SetNumbering]:
    """The tables of a function that number the elements of a set which a collective has made equal on all ranks."""
    if "enumerate(" not in function.module.text or "PYTHONHASHSEED" in function.module.text:
        return
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is None:
            continue
        for table, elements, variable in _numbered(function, block):
            env = function.flow.environment_before(block.index, None)
            found = _Origin(function, elements, env).find()
            if found is None or not found.is_text(variable) or _is_shared(function, table):
                continue
            if AllRanks(function.project.get(CallSites)).run(function, block.index):
                place = Place(function.module, elements.span)
                yield SetNumbering(found.function, found.expression, place, found.order, found.common)


def _numbered(function: Function, block: ir.Block) -> Iterator[tuple[str | None, ir.Expression, str]]:
    """The tables ``{element: number}`` of a block, with what they number and the variable for it."""
    for step in block.steps:
        match step:
            case ir.Assign(targets=(target,), value=ir.Comprehension(kind="dict", generators=(only,)) as made):
                found = _enumerated(only.target, only.iterable)
                pair = [ir.dotted(one) for one in (made.element, made.value) if one is not None]
                if found is not None and pair == [*found[1:]]:
                    yield place_of(target), found[0], found[1]
            case ir.Assign(targets=(target,), value=ir.Element(iterable=iterable)):
                found = _enumerated(target, iterable)
                table = _filled(function, found[1], found[2]) if found is not None else None
                if found is not None and table is not None:
                    yield table, found[0], found[1]


def _enumerated(target: ir.Expression, iterable: ir.Expression) -> tuple[ir.Expression, str, str] | None:
    """What ``for number, element in enumerate(...)`` iterates over, the element and the number."""
    match target, iterable:
        case (
            ir.Collection(elements=(ir.Name(id=number), ir.Name(id=element))),
            ir.Call(func=ir.Name(id="enumerate"), args=(first, *_)),
        ):
            return first.value, element, number
    return None


def _filled(function: Function, element: str, number: str) -> str | None:
    """The table into which a loop puts ``table[element] = number``."""
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=(ir.Subscript(value=table, index=ir.Name(id=key)),), value=ir.Name(id=value)) if (
                key,
                value,
            ) == (element, number):
                return place_of(table)
    return None


def _is_shared(function: Function, table: str | None) -> bool:
    """Whether a function passes the table on to the other ranks."""
    for bound in function.operation_calls:
        if bound.known_operation.method in _SHARING and any(place_of(one.value) == table for one in bound.call.args):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Found:
    """An expression with the order of a set, and the collective that its elements come from."""

    function: Function
    expression: ir.Expression
    order: SetOrder
    common: Step

    def is_text(self, variable: str) -> bool:
        """Whether the elements are strings, or named like strings."""
        if self.order.elements is Hash.SALTED:
            return True
        is_unknown = self.order.elements is Hash.UNKNOWN
        return is_unknown and any(
            NAME_OF_TEXT.search(name.removesuffix("s")) for name in (variable, *_names(self.expression))
        )


class _Origin:
    """Where the order of an expression comes from, through lists, fields and arguments, and where its elements do."""

    def __init__(self, function: Function, expression: ir.Expression, env: Environment, depth: int = 0) -> None:
        self._function = function
        self._expression = expression
        self._env = env
        self._depth = depth

    def find(self) -> _Found | None:
        """The set and the collective; None if there is no such set, or each process has a set of its own."""
        if self._depth > _DEEPEST:
            return None
        order = set_order(self._function, self._expression, self._env)
        if order is not None:
            common = _collective(self._function, self._expression)
            return _Found(self._function, self._expression, order, common) if common is not None else None
        return next((one for one in (inner.find() for inner in self._inner()) if one is not None), None)

    def _inner(self) -> Iterator[_Origin]:
        function, depth = self._function, self._depth + 1
        match self._expression:
            case ir.Collection(kind="list" | "tuple", elements=elements):
                starred = (one.value for one in elements if isinstance(one, ir.Starred))
                yield from (_Origin(function, one, self._env, depth) for one in starred)
            case ir.Call(func=ir.Name(id="list" | "tuple"), args=(first,)):
                yield _Origin(function, first.value, self._env, depth)
            case ir.Attribute() as node:
                fields = function.project.get(FieldDefinitions).of(function, node, self._env) or ()
                if len(fields) == 1:
                    method, value = fields[0]
                    yield _Origin(method, value, method.flow.exit, depth)
            case ir.Name(id=name) if is_parameter(function, name) and not function.rebinds(name):
                sites = list(function.project.get(CallSites).of(function))
                argument = argument_of(function, name, sites[0].bound.call) if len(sites) == 1 else None
                if argument is not None:
                    caller = sites[0].caller
                    yield _Origin(caller, argument, caller.flow.environment_before(sites[0].block, None), depth)


def _collective(function: Function, expression: ir.Expression) -> Step | None:
    """The collective whose result is the same on all ranks, from which an expression is computed."""
    seen: set[str] = set()
    todo = [expression]
    while todo:
        for node in ir.walk(todo.pop()):
            bound = function.bound(node) if isinstance(node, ir.Call) else None
            operation = bound.operation if bound is not None else None
            if operation is not None and operation.kind is Kind.COLLECTIVE and operation.result is Result.SAME:
                return Step(function.module, node.span, "what all ranks get here is numbered by each of them")
            if isinstance(node, ir.Name) and node.id not in seen:
                seen.add(node.id)
                todo += _bound_to(function, node.id)
    return None


def _bound_to(function: Function, name: str) -> Iterator[ir.Expression]:
    """What is assigned or added to a name."""
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=targets, value=ir.Expression() as value):
                if any(name in _names(target) for target in targets):
                    yield value
            case ir.AugmentedAssign(target=ir.Name(id=changed), value=value) if changed == name:
                yield value
            case ir.Evaluate(
                expression=ir.Call(func=ir.Attribute(value=ir.Name(id=owner), attr="add" | "update"), args=args)
            ) if owner == name:
                yield from (argument.value for argument in args)


def _names(expression: ir.Expression) -> Iterator[str]:
    yield from (node.id for node in ir.walk(expression) if isinstance(node, ir.Name))
