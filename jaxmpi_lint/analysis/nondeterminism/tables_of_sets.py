"""Tables whose entries are sets: ``wanted[kind].add(name)``, ``wanted.setdefault(kind, set())``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound, visible_definitions
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash, elements_of, hash_of, joined

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SETS = frozenset({"set", "frozenset"})
_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference"})
_READS = frozenset({"add", "clear", "copy", "discard", "get", "items", "keys", "pop", "remove", "setdefault", "values"})


def table_of_entry(function: Function, expression: ir.Expression) -> str | None:
    """The name of the table of which an expression is an entry: ``table[key]``, or a variable of a loop over it."""
    match expression:
        case ir.Subscript(value=ir.Name(id=table)):
            return table
        case ir.Name(id=name):
            bound = [step for step in function.ir.steps() if name in names_bound(step)]
            return _iterated(bound[0], name) if len(bound) == 1 else None
    return None


def _iterated(step: ir.Step, name: str) -> str | None:
    match step:
        case ir.Assign(
            targets=(target,),
            value=ir.Element(iterable=ir.Call(func=ir.Attribute(value=ir.Name(id=table), attr=view), args=())),
        ):
            entry = target.elements[1:2] if view == "items" and isinstance(target, ir.Collection) else (target,)
            return table if view in ("items", "values") and [ir.dotted(one) for one in entry] == [name] else None
    return None


def elements_of_entries(function: Function, table: str) -> tuple[Function, ir.Expression, Hash] | None:
    """What the sets of a table hold, and where the first of them is made; None if an entry may be something else."""
    found = visible_definitions(function, table)
    if found is None or table in found[0].sorted_places:
        return None
    scope, values = found
    made = [entry for value in values for entry in _made_with(value)]
    stores = list(_stores(scope, table))
    sets = [entry for entry in (*made, *stores) if entry is not None]
    if len(sets) != len(made) + len(stores) or not sets or not all(_is_set(entry, table) for entry in sets):
        return None
    if not all(map(_is_known, _calls(scope, table))):
        return None
    kind = joined((*(_inside(scope, entry) for entry in sets), *_added(scope, table))) or Hash.UNKNOWN
    return None if kind is Hash.STABLE else (scope, sets[0], kind)


def _made_with(value: ir.Expression) -> Iterator[ir.Expression | None]:
    """The entries that a table is created with; None for what is not known."""
    match value:
        case ir.Dictionary(values=values):
            yield from values
        case ir.Comprehension(kind="dict", value=entry):
            yield entry
        case ir.Call(func=func, args=args) if (ir.dotted(func) or "").rpartition(".")[2] == "defaultdict" and args:
            yield ir.Call(value.span, args[0].value, ())
        case ir.Call(func=ir.Name(id="dict"), args=()):
            return
        case _:
            yield None


def _stores(scope: Function, table: str) -> Iterator[ir.Expression | None]:
    for step in scope.ir.steps():
        match step:
            case ir.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ir.Subscript) and ir.dotted(target.value) == table:
                        yield value
    for call in _calls(scope, table):
        match call:
            case ir.Call(func=ir.Attribute(attr="setdefault"), args=(_, ir.Argument(value=default))):
                yield default


def _is_set(entry: ir.Expression, table: str) -> bool:
    match entry:
        case ir.Collection(kind="set") | ir.Comprehension(kind="set"):
            return True
        case ir.Call(func=ir.Attribute(value=base, attr=method)):
            return method in _METHODS and (_is_entry(base, table) or _is_set(base, table))
        case ir.Call(func=func):
            return ir.dotted(func) in _SETS
        case ir.BinaryOperation(left=left):
            return _is_entry(left, table) or _is_set(left, table)
    return False


def _is_entry(expression: ir.Expression, table: str) -> bool:
    return isinstance(expression, ir.Subscript) and ir.dotted(expression.value) == table


def _calls(scope: Function, table: str) -> Iterator[ir.Call]:
    """The calls of methods of a table."""
    for call in scope.ir.calls():
        if isinstance(call.func, ir.Attribute) and ir.dotted(call.func.value) == table:
            yield call


def _is_known(call: ir.Call) -> bool:
    return isinstance(call.func, ir.Attribute) and call.func.attr in _READS


def _inside(scope: Function, entry: ir.Expression) -> Hash | None:
    """What a set is made of; None for an empty one."""
    match entry:
        case ir.Call(args=()) | ir.Collection(elements=()):
            return None
        case ir.Call(func=ir.Attribute(), args=(first, *_)):
            return elements_of(scope, first.value, scope.flow.exit)
    return elements_of(scope, entry, scope.flow.exit)


def _added(scope: Function, table: str) -> Iterator[Hash | None]:
    for step in scope.ir.steps():
        if isinstance(step, ir.AugmentedAssign) and _is_entry(step.target, table):
            yield elements_of(scope, step.value, scope.flow.exit)
    for call in scope.ir.calls():
        match call:
            case ir.Call(func=ir.Attribute(value=owner, attr="add" | "update" as method), args=(first, *_)):
                default = owner.func if isinstance(owner, ir.Call) else None
                is_default = isinstance(default, ir.Attribute) and ir.dotted(default.value) == table
                if is_default or _is_entry(owner, table):
                    yield _element(scope, table, first.value) if method == "add" else _inside(scope, first.value)


def _element(scope: Function, table: str, added: ir.Expression) -> Hash | None:
    """The hash of what is added; a loop over the entries themselves, with the same variable, adds nothing new."""
    bound = [step for step in scope.ir.steps() if isinstance(added, ir.Name) and added.id in names_bound(step)]
    plain = [step for step in bound if isinstance(step, ir.Assign) and isinstance(step.targets[0], ir.Name)]
    iterables = [step.value.iterable for step in plain if isinstance(step.value, ir.Element)]
    if not bound or len(iterables) < len(bound):
        return hash_of(scope, added, scope.flow.exit)
    others = [one for one in iterables if table_of_entry(scope, one) != table]
    return joined(elements_of(scope, one, scope.flow.exit) for one in others)
