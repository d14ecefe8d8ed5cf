"""Set iteration orders: the origin of the order of a loop's iterable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.cfg.passed_arguments import argument_of, is_parameter
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Named, Unordered, Value
from jaxmpi_lint.analysis.lattice.limits import SET_ORDER_DEFINITIONS
from jaxmpi_lint.analysis.model.call_graph import CallSite, CallSites
from jaxmpi_lint.analysis.nondeterminism.field_definitions import FieldDefinitions
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash, elements_of, hash_of, joined, returned_values
from jaxmpi_lint.analysis.nondeterminism.names_of_text import NAME_OF_TEXT
from jaxmpi_lint.analysis.nondeterminism.tables_of_sets import elements_of_entries, table_of_entry

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_KEEPS_ORDER = frozenset({"list", "tuple", "enumerate", "reversed", "iter", "map", "filter", "zip", "dict"})
_SETS = frozenset({"set", "frozenset"})
_SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference"})
_VIEWS = frozenset({"keys", "values", "items"})
_ALGEBRA = frozenset({"|", "&", "-", "^"})


@dataclass(frozen=True, slots=True)
class SetOrder:
    """A value whose order is that of a set; ``source`` is the expression that makes the set, in ``function``."""

    function: Function
    source: ir.Expression
    elements: Hash


def set_order(function: Function, expression: ir.Expression, env: Environment, depth: int = 0) -> SetOrder | None:
    """Where the order comes from in which an expression is iterated, if it is a set's."""
    if depth > SET_ORDER_DEFINITIONS:
        return None
    match expression:
        case ir.Name(id=name):
            return _of_name(function, name, env, depth)
        case ir.Collection(kind="set", elements=(only,)) if not isinstance(only, ir.Starred):
            return None
        case ir.Collection(kind="set") | ir.Comprehension(kind="set"):
            return _is_set(function, expression, env)
        case ir.Comprehension(kind="list" | "generator" | "dict", generators=generators):
            return set_order(function, generators[0].iterable, env, depth + 1)
        case ir.BinaryOperation(operator=operator) if operator in _ALGEBRA:
            return _of_algebra(function, expression, env)
        case ir.Call():
            return _of_call(function, expression, env, depth)
        case ir.Starred(value=value) | ir.NamedExpression(value=value):
            return set_order(function, value, env, depth + 1)
        case ir.Conditional(body=body, orelse=orelse):
            return _of_values(function, (body, orelse), env, depth)
        case ir.Attribute():
            return _of_field(function, expression, env, depth)
        case ir.Subscript():
            return _of_entry(function, expression)
    return None


def _of_entry(function: Function, expression: ir.Expression) -> SetOrder | None:
    """The order of an entry of a table of sets."""
    table = table_of_entry(function, expression)
    found = elements_of_entries(function, table) if table is not None else None
    return SetOrder(*found) if found is not None else None


def passed_order(function: Function, expression: ir.Expression) -> SetOrder | None:
    """The order of a set of texts that a call of the function passes, for a parameter or a list of it."""
    match expression:
        case ir.Call(func=ir.Name(id="list" | "tuple" | "enumerate" | "iter"), args=(first, *_)):
            return passed_order(function, first.value)
        case ir.Name(id=name) if is_parameter(function, name) and name not in function.sorted_places:
            orders = [_passed(site, argument_of(function, name, site.bound.call)) for site in _sites(function)]
            return next((one for one in orders if one is not None and _holds_text(one, name)), None)
    table = table_of_entry(function, expression)
    if table is None or not is_parameter(function, table) or table in function.sorted_places:
        return None
    given = ((site.caller, argument_of(function, table, site.bound.call)) for site in _sites(function))
    tables = (elements_of_entries(caller, passed.id) for caller, passed in given if isinstance(passed, ir.Name))
    return next((SetOrder(*found) for found in tables if found is not None and found[2] is Hash.SALTED), None)


def _holds_text(order: SetOrder, name: str) -> bool:
    """Whether a set that is passed for a parameter holds texts, or its name says so where nothing else is known."""
    return order.elements is Hash.SALTED or (
        order.elements is Hash.UNKNOWN and NAME_OF_TEXT.search(name.removesuffix("s")) is not None
    )


def _sites(function: Function) -> list[CallSite]:
    return list(function.project.get(CallSites).of(function))


def _passed(site: CallSite, argument: ir.Expression | None) -> SetOrder | None:
    if argument is None:
        return None
    return set_order(site.caller, argument, site.caller.flow.environment_before(site.block, None))


def _makes_set(expression: ir.Call | ir.Comprehension) -> bool:
    if isinstance(expression, ir.Comprehension):
        return expression.kind == "set"
    is_method = isinstance(expression.func, ir.Attribute) and expression.func.attr in _SET_METHODS
    return is_method or ir.dotted(expression.func) in _SETS


def _of_field(function: Function, node: ir.Attribute, env: Environment, depth: int) -> SetOrder | None:
    """The order of a field to which every method assigns values in the order of a set."""
    fields = function.project.get(FieldDefinitions)
    if fields.is_of_project(function, node, env) and fields.of(function, node, env) is None:
        return None  # it is sorted in place, or other functions assign to it
    if _is_unordered(function.value(node, env)):
        return _is_set(function, node, env)
    found = fields.of(function, node, env) or ()
    orders = [set_order(method, value, method.flow.exit, depth + 1) for method, value in found]
    return None if any(order is None for order in orders) else next(iter(orders), None)


def _is_set(function: Function, expression: ir.Expression, env: Environment) -> SetOrder | None:
    held = function.value(expression, env)
    if isinstance(held.entity, Unordered) and held.entity.stable:
        return None
    kind = elements_of(function, expression, env)
    return None if kind is Hash.STABLE else SetOrder(function, expression, kind)


def _is_unordered(value: Value) -> bool:
    return isinstance(value.entity, Unordered) and not value.entity.stable


def _of_name(function: Function, name: str, env: Environment, depth: int) -> SetOrder | None:
    found = visible_definitions(function, name)
    if found is None:
        return _of_entry(function, ir.Name((0, 0), name)) or _of_mutated(function, name, env)
    scope, values = found
    if name in scope.sorted_places:
        return None
    changed = [value for value in values if not _is_broadcast_of(scope, value, name)]
    order = _of_values(scope, changed, env if scope is function else scope.flow.exit, depth)
    filled = _filled(scope, name)
    if order is not None and filled is Hash.STABLE and _is_empty_set(order.source):
        return None
    if order is not None and filled is Hash.SALTED:
        return SetOrder(order.function, order.source, filled)
    return order


def _of_values(function: Function, values: Iterable[ir.Expression], env: Environment, depth: int) -> SetOrder | None:
    """The order of one of several values, if all of them are in the order of a set; None is not iterated over."""
    given = [value for value in values if not (isinstance(value, ir.Constant) and value.value is None)]
    orders = [set_order(function, value, env, depth + 1) for value in given]
    return None if any(order is None for order in orders) else next(iter(orders), None)


def _is_broadcast_of(function: Function, value: ir.Expression, name: str) -> bool:
    """Whether a name is bound to its own value on the root, as in ``words = comm.bcast(words)``."""
    sent = _broadcast(function, value)
    return isinstance(sent, ir.Name) and sent.id == name


def _broadcast(function: Function, expression: ir.Expression) -> ir.Expression | None:
    """The object whose copy all ranks get."""
    bound = function.bound(expression) if isinstance(expression, ir.Call) else None
    operation = bound.operation if bound is not None else None
    if bound is None or operation is None or operation.method != "bcast":
        return None
    return bound.argument("obj")


def _is_object(function: Function, expression: ir.Expression, depth: int) -> bool:
    """Whether an expression is a set itself: a list in the order of a set has the same order in all copies."""
    if depth > SET_ORDER_DEFINITIONS:
        return False
    match expression:
        case ir.Constant(value=None) | ir.Collection(kind="set") | ir.Comprehension(kind="set"):
            return True
        case ir.Conditional(body=body, orelse=orelse):
            return all(_is_object(function, one, depth + 1) for one in (body, orelse))
        case ir.BinaryOperation(operator=operator, left=left):
            return operator in _ALGEBRA and _is_object(function, left, depth + 1)
        case ir.Name(id=name):
            found = visible_definitions(function, name)
            values = [] if found is None else [one for one in found[1] if not _is_broadcast_of(found[0], one, name)]
            return found is not None and all(_is_object(found[0], value, depth + 1) for value in values)
        case ir.Call():
            return _makes_set(expression) or _returns_object(function, expression, depth)
    return False


def _returns_object(function: Function, call: ir.Call, depth: int) -> bool:
    bound = function.bound(call)
    entity = bound.callee.entity if bound is not None else None
    callee = function.project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None
    if callee is None or callee.project.is_running(callee):
        return False
    return all(_is_object(callee, value, depth + 1) for value, _ in returned_values(callee))


def _of_mutated(function: Function, name: str, env: Environment) -> SetOrder | None:
    """A name that is bound in several ways: what the flow of values says of it."""
    held = env.get(name)
    if held is None or not _is_unordered(held) or name in function.sorted_places:
        return None
    if any(parameter.name == name for parameter in function.ir.parameters):
        return None
    return SetOrder(function, ir.Name((0, 0), name), Hash.UNKNOWN)


def _is_empty_set(expression: ir.Expression) -> bool:
    return isinstance(expression, ir.Call) and not expression.args and ir.dotted(expression.func) in _SETS


def _filled(function: Function, name: str) -> Hash:
    """What is put into a set by ``add`` and ``update``; unknown if one of the values is, or if there is none."""
    kinds: list[Hash | None] = []
    for call in function.ir.calls():
        if isinstance(call.func, ir.Attribute) and ir.dotted(call.func.value) == name and call.args:
            if call.func.attr == "add":
                kinds.append(hash_of(function, call.args[0].value, function.flow.exit))
            elif call.func.attr == "update":
                kinds.append(elements_of(function, call.args[0].value, function.flow.exit))
    return joined(kinds) or Hash.UNKNOWN


def _of_algebra(function: Function, node: ir.BinaryOperation, env: Environment) -> SetOrder | None:
    """Algebra of sets, or of the key and item views of dictionaries."""
    parts = (node.left, node.right)
    if all(_is_unordered(function.value(part, env)) or _is_view(part) for part in parts):
        return _is_set(function, node, env)
    if _is_unordered(function.value(node.left, env)) and _is_unordered(function.value(node, env)):
        return _is_set(function, node, env)  # of a set and what is not known
    if any(_is_view(part, ("keys",)) for part in parts):
        return _is_set(function, node, env)
    return None


def _is_view(expression: ir.Expression, names: tuple[str, ...] = ("keys", "items")) -> bool:
    return (
        isinstance(expression, ir.Call)
        and not expression.args
        and isinstance(expression.func, ir.Attribute)
        and expression.func.attr in names
    )


def _of_call(function: Function, call: ir.Call, env: Environment, depth: int) -> SetOrder | None:
    bound = function.bound(call)
    entity = bound.callee.entity if bound is not None else function.value(call.func, env).entity
    name = entity.dotted.removeprefix("builtins.") if isinstance(entity, Named) else None
    arguments = [argument.value for argument in call.args if not argument.star and argument.keyword is None]
    if name in _SETS:
        return _is_set(function, call, env)
    sent = _broadcast(function, call)
    if sent is not None:
        return set_order(function, sent, env, depth + 1) if _is_object(function, sent, depth) else None
    if name in _KEEPS_ORDER or name == "dict.fromkeys":
        orders = (set_order(function, argument, env, depth + 1) for argument in arguments)
        return next((order for order in orders if order is not None), None)
    if isinstance(call.func, ir.Attribute):
        base, method = call.func.value, call.func.attr
        if method in _VIEWS and not call.args:
            return set_order(function, base, env, depth + 1)
        if method in _SET_METHODS and _is_unordered(function.value(base, env)):
            return _is_set(function, call, env)
    return _returned(function, entity, depth) if isinstance(entity, FunctionReference) else None


def _returned(function: Function, reference: FunctionReference, depth: int) -> SetOrder | None:
    """The order of the set that a function of the project returns, if each of its results is one.

    A list in the order of a set is made by a loop, and that loop is what the rules report.
    """
    callee = function.project.function(reference.path, reference.qualname)
    if callee is None or callee.ir.is_generator or callee.ir.is_async or callee.project.is_running(callee):
        return None
    results = list(returned_values(callee))
    if any(isinstance(value, (ir.Call, ir.Comprehension)) and not _makes_set(value) for value, _ in results):
        return None
    orders = [set_order(callee, value, env, depth + 1) for value, env in results]
    return None if any(order is None for order in orders) else next(iter(orders), None)
