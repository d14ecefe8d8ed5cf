"""Functions of the project that return what ranks have combined, and leave their argument as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, place_of, places_stored, reads_anywhere
from jaxmpi_lint.analysis.conditions.constant_propagation import arguments_of
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Named
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.model.overriding import is_overridden
from jaxmpi_lint.library.model import Kind, Result
from jaxmpi_lint.library.python.container_methods import VIEWS
from jaxmpi_lint.library.python.names import NUMPY

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.library.model import Operation

_COMBINES = re.compile(r"average|mean|reduce|sum|sync|bcast|broadcast|combine|merge|exchange|share", re.IGNORECASE)
_DEEPEST = 2


def replacing_function(function: Function, bound: BoundCall) -> tuple[Operation, ir.Expression] | None:
    """The collective of a function that returns new values for its only unchanged argument, and that argument."""
    target = _target(function, bound)
    if target is None or not _COMBINES.search(target.ir.name) or target.ir.decorators or is_overridden(target):
        return None
    operation = _operation(target)
    if operation is None or not _returns_combined(target):
        return None
    given = [
        (name, value)
        for name, value in arguments_of(function, bound, target).items()
        if place_of(value) is not None and _is_passed_on(target, name)
    ]
    if len(given) != 1 or _has_effects(target, _fields_of_its_own(target)) or _changes(target, given[0][0]):
        return None
    return operation, given[0][1]


def _target(function: Function, bound: BoundCall) -> Function | None:
    entity = bound.callee.entity
    target = function.project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None
    if target is None or target.ir.is_generator or target.ir.is_async or target.ir.globals or target.ir.nonlocals:
        return None
    return target


def _operation(target: Function) -> Operation | None:
    """The only kind of collective of a function, if all ranks receive the same result."""
    found = {bound.known_operation.name: bound for bound in target.operation_calls}
    bound = next(iter(found.values()), None)
    if len(found) != 1 or bound is None or not is_mpi4py_call(target.project, bound, target):
        return None
    operation = bound.known_operation
    result = operation.received if operation.buffer else operation.result
    is_combined = operation.kind is Kind.COLLECTIVE and operation.reduction is not None and result is Result.SAME
    return operation if is_combined else None


# --- what it returns ---


def _returns_combined(target: Function) -> bool:
    """Whether each result is a container or an array that holds what the collective has returned."""
    values = [
        block.terminator.value
        for block in target.ir.blocks
        if isinstance(block.terminator, ir.Return) and target.flow.entries[block.index] is not None
    ]
    combined = _combined(target)
    return bool(values) and all(
        value is not None and not _is_number(target, value) and _holds(target, value, combined) for value in values
    )


def _is_number(target: Function, value: ir.Expression) -> bool:
    """Whether a result is that of a collective on one value, so that it takes the place of no container."""
    while isinstance(value, ir.BinaryOperation):
        value = value.left
    if isinstance(value, ir.Name):
        made = list(target.assignments.get(value.id, {}).values())
        return any(_is_number(target, one) for one in made if not isinstance(one, ir.Name))
    bound = target.bound(value) if isinstance(value, ir.Call) else None
    return isinstance(value, ir.Constant) or (bound is not None and bound.operation is not None)


def _combined(target: Function) -> set[str]:
    """The variables and fields that hold what a collective has returned."""
    found = {place for place in map(place_of, _received(target)) if place is not None}
    before = -1
    while len(found) > before:
        before = len(found)
        for step in target.ir.steps():
            match step:
                case ir.Assign(targets=targets, value=ir.Expression() as value) if _holds(target, value, found):
                    found.update(place for one in targets for place in places_stored(one) if place is not None)
                case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=ir.Name(id=name)), args=(first,))):
                    if _holds(target, first.value, found):
                        found.add(name)
    return found


def _received(target: Function) -> Iterator[ir.Expression]:
    for bound in target.operation_calls:
        for parameter in bound.known_operation.receives:
            given = bound.argument(parameter)
            if given is not None:
                yield given.elements[0] if isinstance(given, ir.Collection) and given.elements else given


def _holds(target: Function, value: ir.Expression, combined: set[str]) -> bool:
    return any(_is_combined(target, node, combined) for node in ir.walk(value))


def _is_combined(target: Function, node: ir.Expression, combined: set[str]) -> bool:
    if place_of(node) in combined:
        return True
    bound = target.bound(node) if isinstance(node, ir.Call) else None
    if bound is None:
        return False
    if bound.operation is not None:
        return not bound.operation.buffer
    method = _target(target, bound)
    own = method.self_name if method is not None else None
    if method is None or own is None:
        return False
    read = {f"{target.self_name}.{node.attr}" for node in _attributes(method) if ir.dotted(node.value) == own}
    return not combined.isdisjoint(read)


def _attributes(function: Function) -> Iterator[ir.Attribute]:
    for one in reads_anywhere(function.ir):
        yield from (node for node in ir.walk(one) if isinstance(node, ir.Attribute))


# --- what it changes ---


def _fields_of_its_own(target: Function) -> frozenset[str]:
    """The fields that nothing but the function, the methods that it calls, and the constructor read."""
    inside = {target.key, *(method.key for method in _methods(target))}
    read: set[str] = set()
    for module in target.project.modules():
        for function in module.functions():
            if function.key not in inside and function.ir.name != "__init__":
                read.update(node.attr for node in _attributes(function))
    own = {name for method in (target, *_methods(target)) for name in _stored_fields(method)}
    return frozenset(own - read)


def _methods(target: Function) -> list[Function]:
    found = (_target(target, bound) for bound in target.calls())
    return [method for method in found if method is not None and method.ir.owner == target.ir.owner is not None]


def _stored_fields(method: Function) -> Iterator[str]:
    own = f"{method.self_name}."
    for place in _places_written(method):
        if method.self_name is not None and place.startswith(own):
            yield place.removeprefix(own).partition(".")[0]


def _places_written(function: Function) -> Iterator[str]:
    """The places to which a function assigns, and those that a call of a library fills."""
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=targets):
                yield from (place for one in targets for place in places_stored(one) if place is not None)
            case ir.AugmentedAssign(target=changed):
                yield place_of(changed) or ""
        for one in expressions_read(step):
            for node in ir.walk(one):
                if isinstance(node, ir.Call):
                    yield from (place_of(given.value) or "" for given in node.args if given.keyword == "out")
    yield from (place_of(one) or "" for one in _received(function))


def _has_effects(function: Function, own: frozenset[str], depth: int = 0) -> bool:
    """Whether a call does more than to return a value, apart from the fields that nothing else reads."""
    names = {parameter.name for parameter in function.ir.parameters}
    fields = _names_of_fields(function)
    for written in _places_written(function):
        place = fields.get(written, written)
        root, _, field = place.partition(".")
        is_own = root == function.self_name and field.partition(".")[0] in own
        if "." in place and root in names and not is_own:
            return True
    return any(
        _is_effect(function, step.value, own, depth) for step in function.ir.steps() if isinstance(step, ir.Discard)
    )


def _names_of_fields(function: Function) -> dict[str, str]:
    """The variables that stand for a field of an object, with the field."""
    found = {name: [ir.dotted(value) for value in values.values()] for name, values in function.assignments.items()}
    return {name: path for name, paths in found.items() for path in paths if path is not None and "." in path}


def _is_effect(function: Function, value: ir.Expression, own: frozenset[str], depth: int) -> bool:
    bound = function.bound(value) if isinstance(value, ir.Call) else None
    if bound is None:
        return not isinstance(value, ir.Constant)
    if bound.operation is not None:
        return False
    entity = bound.callee.entity
    if isinstance(entity, Named) and entity.dotted.startswith(NUMPY):
        return False
    called = _target(function, bound)
    if called is not None:
        return depth >= _DEEPEST or called.ir.owner != function.ir.owner or _has_effects(called, own, depth + 1)
    owner = bound.call.func.value if isinstance(bound.call.func, ir.Attribute) else None
    return not (isinstance(owner, ir.Name) and function.is_local(owner.id) and _is_new(function, owner.id))


def _is_new(function: Function, name: str) -> bool:
    made = list(function.assignments.get(name, {}).values())
    return bool(made) and all(isinstance(one, (ir.Dictionary, ir.Collection, ir.Comprehension)) for one in made)


def _is_passed_on(target: Function, parameter: str) -> bool:
    """Whether a function reads a parameter as data: it iterates over it, takes elements of it, or passes it on."""
    for step in target.ir.steps():
        for one in expressions_read(step):
            for node in ir.walk(one):
                match node:
                    case ir.Element(iterable=part) | ir.Subscript(value=part):
                        parts = [part]
                    case ir.Comprehension(generators=generators):
                        parts = [generator.iterable for generator in generators]
                    case ir.Call(args=args):
                        parts = [argument.value for argument in args]
                    case _:
                        parts = []
                if any(
                    isinstance(inner, ir.Name) and inner.id == parameter for part in parts for inner in ir.walk(part)
                ):
                    return True
    return False


def _changes(function: Function, parameter: str, depth: int = 0) -> bool:
    """Whether a function may change the object of a parameter, or an element of it."""
    names = _aliases(function, parameter)
    if any(place.partition(".")[0] in names for place in _places_changed(function)):
        return True
    for bound in function.calls():
        given = [argument for argument in bound.call.args if place_of(argument.value) in names]
        called = _target(function, bound)
        is_statement = any(isinstance(one, ir.Discard) and one.value is bound.call for one in function.ir.steps())
        if called is not None and given:
            passed = arguments_of(function, bound, called)
            if depth >= _DEEPEST or any(
                place_of(value) in names and _changes(called, name, depth + 1) for name, value in passed.items()
            ):
                return True
        elif is_statement and bound.operation is None:
            owner = bound.call.func.value if isinstance(bound.call.func, ir.Attribute) else None
            is_fill = bool(bound.call.args) and bound.call.args[0] in given
            if is_fill or (owner is not None and (place_of(owner) or "").partition(".")[0] in names):
                return True
    return False


def _places_changed(function: Function) -> Iterator[str]:
    """The places that a function changes; a name that is only bound again is none."""
    for step in function.ir.steps():
        match step:
            case ir.Assign(targets=targets):
                yield from (place_of(one) or "" for one in targets if not isinstance(one, (ir.Name, ir.Collection)))
            case ir.AugmentedAssign(target=changed):
                yield place_of(changed) or ""
    yield from (place_of(one) or "" for one in _received(function))


def _aliases(function: Function, parameter: str) -> set[str]:
    """A parameter and the names that stand for it or for its elements."""
    found = {parameter}
    before = 0
    while len(found) > before:
        before = len(found)
        for step in function.ir.steps():
            if isinstance(step, ir.Assign) and step.value is not None and _refers(step.value, found):
                found.update(name for one in step.targets for name in places_stored(one) if name is not None)
            for one in expressions_read(step):
                for node in ir.walk(one):
                    for part in node.generators if isinstance(node, ir.Comprehension) else ():
                        if _refers(part.iterable, found):
                            found.update(name for name in places_stored(part.target) if name is not None)
    return found


def _refers(value: ir.Expression, names: set[str]) -> bool:
    """Whether a value is an object of some names, or one of their elements."""
    match value:
        case ir.Element(iterable=inner) | ir.Subscript(value=inner) | ir.Attribute(value=inner):
            return _refers(inner, names)
        case ir.Call(func=ir.Attribute(value=owner, attr=method)) if method in VIEWS:
            return _refers(owner, names)
        case ir.Call(func=ir.Name(id="zip" | "enumerate" | "list" | "sorted" | "iter" | "reversed"), args=args):
            return any(_refers(argument.value, names) for argument in args)
        case ir.Name(id=name):
            return name in names
    return False
