"""Orders that depend on a file listing, which is in file-system order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import nested_functions, place_of, visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.lattice.limits import LISTING_CALLS
from jaxmpi_lint.analysis.uniformity.communicator_usage import called_function
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.files import LISTING_METHODS, LISTINGS
from jaxmpi_lint.library.python.sequences import KEEPS_ORDER_OF_FIRST, KEEPS_ORDER_OF_LATER

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_FILLING = frozenset({"append", "extend"})


@dataclass(frozen=True, slots=True)
class Listing:
    """The call that lists files, and the function it stands in."""

    function: Function
    call: ir.Call

    @property
    def sortable(self) -> bool:
        """Whether what is listed can be compared: names and paths, not directory entries."""
        return (ir.dotted(self.call.func) or "").rpartition(".")[2] != "scandir"


_SAME = "same"  # the name itself, met again while its definitions are looked at
_Order = Listing | str | None
_Results = dict[tuple[str, str, int], Listing | None]
"""By the function that is called and the number of calls on the way to it."""


class ListingOrder:
    """Follows the values of one function back to the listings that their order comes from."""

    def __init__(self, function: Function, depth: int = 0, results: _Results | None = None) -> None:
        self._function = function
        self._depth = depth
        self._results: _Results = {} if results is None else results
        self._open: set[tuple[str, str, str]] = set()
        self._met: dict[tuple[str, str, str], _Order] = {}

    def of(self, expression: ir.Expression) -> Listing | None:
        """The listing in whose order an expression is iterated."""
        self._met.clear()
        found = self._order(self._function, expression)
        return found if isinstance(found, Listing) else None

    def _order(self, function: Function, expression: ir.Expression) -> _Order:
        match expression:
            case ir.Name(id=name):
                return self._of_name(function, name)
            case ir.Attribute():
                return self._of_field(function, expression)
            case ir.Comprehension(kind="list" | "generator" | "dict", generators=generators):
                return self._order(function, generators[0].iterable)
            case ir.Subscript(value=value, index=ir.Slice()):
                return self._order(function, value)
            case ir.BinaryOperation(operator="+", left=left, right=right):
                found = self._order(function, left)
                return found if isinstance(found, Listing) else self._order(function, right)
            case ir.Starred(value=value) | ir.NamedExpression(value=value) | ir.Entered(context=value):
                return self._order(function, value)
            case ir.Collection(kind="list" | "tuple", elements=elements) if elements:
                starred = [element for element in elements if isinstance(element, ir.Starred)]
                return next((o for o in (self._order(function, e) for e in starred) if o is not None), None)
            case ir.Call():
                return self._of_call(function, expression)
        return None

    def _of_name(self, function: Function, name: str) -> _Order:
        found = visible_definitions(function, name)
        if found is None:
            return None
        scope, values = found
        key = (*scope.key, name)
        if key in self._open:
            return _SAME
        if key not in self._met:  # names that are defined by each other have very many paths
            self._met[key] = self._of_definitions(key, scope, values)
        return self._met[key]

    def _of_definitions(self, key: tuple[str, str, str], scope: Function, values: Sequence[ir.Expression]) -> _Order:
        name = key[-1]
        self._open.add(key)
        orders = [self._filled(scope, name) if _is_empty(value) else self._order(scope, value) for value in values]
        self._open.discard(key)
        if any(order is None for order in orders):
            return None
        listing = next((order for order in orders if isinstance(order, Listing)), None)
        if listing is None or _is_sorted_in_place((scope.ir, *nested_functions(scope)), name):
            return None
        return listing

    def _filled(self, scope: Function, name: str) -> _Order:
        """The listing whose loop fills an empty list."""
        for _, branch, _ in scope.branches():
            if branch.kind != "for" or not isinstance(branch.test, ir.Element):
                continue
            inside = range(*branch.extent)
            if any(call.span[0] in inside and _fills(call, name) for call in scope.ir.calls()):
                return self._order(scope, branch.test.iterable)
        return None

    def _of_field(self, function: Function, expression: ir.Attribute) -> _Order:
        """A field whose value is known to come from a listing."""
        path = ir.dotted(expression)
        content = function.value(expression, function.flow.exit).content
        if path is None or content.level is not Level.ORDER or content.reason is None:
            return None
        first = content.reason.chain()[0]
        model = function.project.module(first.module.path)
        functions = (*first.module.functions.values(), *function.module.functions.values())
        if model is None or _is_sorted_in_place(functions, path):
            return None
        for other in model.functions():
            for call in other.ir.calls():
                if call.span == first.span and _is_listing(other, call):
                    return Listing(other, call)
        return None

    def _of_call(self, function: Function, call: ir.Call) -> _Order:
        if _is_listing(function, call):
            return None if _is_of_one_process(function, call) else Listing(function, call)
        bound = function.bound(call)
        entity = bound.callee.entity if bound is not None else None
        name = entity.dotted.removeprefix("builtins.") if isinstance(entity, Named) else None
        arguments = [argument.value for argument in call.args if not argument.star and argument.keyword is None]
        if name in KEEPS_ORDER_OF_LATER:
            orders = (self._order(function, argument) for argument in arguments[0 if name != "map" else 1 :])
            return next((order for order in orders if order is not None), None)
        if name in KEEPS_ORDER_OF_FIRST and arguments:
            return self._order(function, arguments[0])
        if isinstance(call.func, ir.Attribute) and call.func.attr == "copy" and not call.args:
            return self._order(function, call.func.value)
        callee = called_function(bound) if bound is not None else None
        if callee is not None and self._depth < LISTING_CALLS:
            target = function.project.function(callee.path, callee.qualname)
            return self._of_result(target) if target is not None else None
        return None

    def _of_result(self, target: Function) -> Listing | None:
        key = (*target.key, self._depth)
        if key not in self._results:
            self._results[key] = ListingOrder(target, self._depth + 1, self._results).of_result()
        return self._results[key]

    def of_result(self) -> Listing | None:
        """The listing in whose order every result of the function is."""
        if self._function.ir.is_generator:
            return None
        values = [
            block.terminator.value
            for block in self._function.ir.blocks
            if self._function.flow.entries[block.index] is not None
            and isinstance(block.terminator, ir.Return)
            and block.terminator.value is not None
        ]
        found = [self.of(value) for value in values]
        return found[0] if found and all(found) else None


def _is_listing(function: Function, call: ir.Call) -> bool:
    bound = function.bound(call)
    if bound is None:
        return False
    if bound.dotted is not None:
        return bound.dotted in LISTINGS or (bound.dotted.startswith("pathlib.") and _is_listing_method(call))
    return bound.callee.entity is None and not bound.operations and _is_listing_method(call)


def _is_listing_method(call: ir.Call) -> bool:
    if not isinstance(call.func, ir.Attribute) or call.func.attr not in LISTING_METHODS:
        return False
    return bool(call.args) != (call.func.attr == "iterdir")


def _is_of_one_process(function: Function, call: ir.Call) -> bool:
    """Whether each process lists a separate folder."""
    named = [argument.value for argument in call.args]
    if isinstance(call.func, ir.Attribute):
        named.append(call.func.value)
    values = (function.value(expression, function.flow.exit) for expression in named)
    return any(value.content.level in (Level.RANK, Level.LOCAL) for value in values)


def _is_empty(value: ir.Expression) -> bool:
    if isinstance(value, ir.Call):
        return ir.dotted(value.func) == "list" and not value.args
    return isinstance(value, ir.Collection) and value.kind == "list" and not value.elements


def _fills(call: ir.Call, name: str) -> bool:
    func = call.func
    return isinstance(func, ir.Attribute) and func.attr in _FILLING and ir.dotted(func.value) == name


def _is_sorted_in_place(functions: Iterable[ir.Function], place: str) -> bool:
    return any(
        isinstance(call.func, ir.Attribute) and call.func.attr == "sort" and place_of(call.func.value) == place
        for function in functions
        for call in function.calls()
    )
