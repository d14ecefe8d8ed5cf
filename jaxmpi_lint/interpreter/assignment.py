"""Assignments, augmented assignments and deletions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import (
    array_changes,
    attributes,
    buffers,
    changed_items,
    dtypes,
    evaluation,
    open_tables,
    operations,
    repeated_sums,
    unpacking,
)
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.raised import fail, unfit
from jaxmpi_lint.interpreter.reach import release
from jaxmpi_lint.interpreter.special_methods import apply_in_place
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import (
    ITEMS,
    MISSING,
    Cut,
    GeneratorValue,
    Instance,
    Iterator,
    NeedsCall,
    Scope,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def assign(rank: Rank, frame: Frame, step: ir.Assign) -> None:
    """Bind every target to the value."""
    assert step.value is not None
    value = evaluation.evaluate(rank, frame, step.value)
    if rank.program.is_declared_uniform(frame.scope.module.ir, step.span):
        value = rank.symbol("declared", frame.scope.module, step.span)
    for target in step.targets:
        bind(rank, frame, target, value)


def bind(rank: Rank, frame: Frame, target: ir.Expression, value: Value) -> None:
    """Bind one target."""
    match target:
        case ir.Name(id=name):
            _scope_of(frame, name).names[name] = value
        case ir.Attribute(value=owner, attr=name):
            _set(rank, frame, target, evaluation.evaluate(rank, frame, owner), name, value)
        case ir.Subscript(value=owner, index=index):
            changed_items.before_store(rank, frame, owner, value)
            container = evaluation.evaluate(rank, frame, owner)
            _store(rank, frame, target, container, evaluation.evaluate(rank, frame, index), value)
        case ir.Collection(elements=elements):
            buffers.read(rank, (value,))
            rank.state["span"] = target.span
            for part, one in zip(elements, unpacking.parts(rank, value, elements), strict=True):
                bind(rank, frame, part.value if isinstance(part, ir.Starred) else part, one)
        case ir.Starred(value=inner):
            bind(rank, frame, inner, value)
        case _:
            raise Cut("an unusual target")


def _set(rank: Rank, frame: Frame, target: ir.Expression, owner: Value, name: str, value: Value) -> None:
    """``owner.name = value``, which may call a property."""
    called = attributes.setter(owner, name, value)
    if called is None:
        attributes.write(rank, owner, name, value)
    elif (id(target), "set") not in frame.implicit:
        raise NeedsCall(target, *called, key=(id(target), "set"))


def _scope_of(frame: Frame, name: str) -> Scope:
    """The scope in which a name is bound: that of the frame, the module (``global``) or an enclosing function."""
    if name in frame.function.globals:
        return frame.scope.module.scope
    if name in frame.function.nonlocals:
        outer = frame.scope.outer
        while outer is not None:
            if name in outer.names:
                return outer
            outer = outer.outer
    return frame.scope


def _store(rank: Rank, frame: Frame, target: ir.Subscript, container: Value, index: Value, value: Value) -> None:
    if isinstance(container, Instance) and container.cls.find("__setitem__") is MISSING:
        if not container.cls.library_bases():
            raise fail("TypeError")
        _store_in_object(rank, container, index, value)
    elif isinstance(container, Instance):
        method = container.cls.find("__setitem__")
        key = (id(target), "__setitem__")
        if key not in frame.implicit:
            raise NeedsCall(target, method, (container, index, value), key=key)
    else:
        store(rank, container, index, value)


def _store_in_object(rank: Rank, container: Instance, index: Value, value: Value) -> None:
    """Store an item in an object of a class derived from a library's: by a key, or by what only the library knows."""
    if isinstance(index, (str, int)):
        store(rank, container.fields.setdefault(ITEMS, {}), index, value)
    else:
        container.fields.pop(ITEMS, None)


def store(rank: Rank, container: Value, index: Value, value: Value) -> None:
    """``container[index] = value`` for a container that is no object of the project."""
    if isinstance(container, Array):
        if value is None and dtypes.family(container.dtype) == dtypes.INTEGERS:
            raise unfit(value)
        buffers.write(rank, container, index)
        buffers.read(rank, (value,))
        array_changes.assign(rank, container, index, value)
    elif isinstance(container, dict):
        container[operations.hashable(rank, index)] = value
    elif isinstance(container, list):
        is_slice = isinstance(index, operations.SliceValue)
        several = isinstance(value, (Iterator, GeneratorValue, range, str))
        _store_in_list(rank, container, index, unpacking.items(rank, value) if is_slice and several else value)
    elif isinstance(container, Modelled):
        release((value,))
        container.set_item(rank, index, value)
    elif isinstance(container, Symbol):
        release((value,))
    elif not isinstance(container, Symbol) and isinstance(container, (tuple, str, bytes, int, float, type(None))):
        raise unfit(container)


def _store_in_list(rank: Rank, container: list[Value], index: Value, value: Value) -> None:
    if isinstance(index, int):
        if not -len(container) <= index < len(container):
            raise operations.out_of_range(rank, container)
        container[index] = value
    elif isinstance(index, operations.SliceValue) and index.is_plain and isinstance(value, (list, tuple)):
        container[index.python()] = value
    elif not (isinstance(index, Symbol) and changed_items.store(rank, container, index, value)):
        raise Cut("an unknown index of a list")


def augment(rank: Rank, frame: Frame, step: ir.AugmentedAssign) -> None:
    """``target operator= value``; lists and arrays are changed in place."""
    old = evaluation.evaluate(rank, frame, step.target)
    value = evaluation.evaluate(rank, frame, step.value)
    rank.state["span"] = step.span
    if isinstance(old, list) and step.operator in ("+", "*"):
        is_sum = step.operator == "+"
        items = [*old, *unpacking.items(rank, value)] if is_sum else operations.binary(rank, "*", old, value)
        if isinstance(items, list):
            old[:] = items
            if isinstance(step.target, ir.Subscript) and isinstance(step.target.index, ir.Slice):
                bind(rank, frame, step.target, old)  # a slice is a copy
            return
    if isinstance(old, (set, dict)) and step.operator == "|" and isinstance(value, (set, dict)):
        old.update(value)
        return
    result = apply_in_place(rank, frame, step.value, step.operator, old, value)
    owner = evaluation.evaluate(rank, frame, step.target.value) if isinstance(step.target, ir.Subscript) else old
    store = owner.store if isinstance(owner, Array) else None
    total = store.total if store is not None and step.operator == "+" else None
    if isinstance(owner, Array) and isinstance(old, Array) and old.store is not owner.store:
        bind(rank, frame, step.target, result)  # a selection by an array is a copy
    elif isinstance(old, Array) and not old.is_jax:
        buffers.write(rank, old)
        change(rank, old, result)
    else:
        bind(rank, frame, step.target, result)
    if store is not None:
        repeated_sums.grow(store, total)


def change(rank: Rank, array: Array, result: Value) -> None:
    """Write the result of an operation into an array; one that does not fit fails."""
    if isinstance(result, Array) and array.shape is not None and result.shape is not None:
        if result.shape != array.shape:
            raise fail("ValueError")
        if _widens(array.dtype, result.dtype):
            raise fail("TypeError")
    array_changes.write(rank, array, result)


def _widens(kept: str, given: str) -> bool:
    """Whether an array of integers would have to keep floats."""
    return kept in dtypes.SIZES and dtypes.family(kept) < 2 and given in dtypes.SIZES and dtypes.family(given) >= 2


def delete(rank: Rank, frame: Frame, step: ir.Delete) -> None:
    """``del`` of names, fields and items."""
    for target in step.targets:
        match target:
            case ir.Name(id=name):
                _scope_of(frame, name).names.pop(name, None)
            case ir.Attribute(value=owner, attr=name):
                found = evaluation.evaluate(rank, frame, owner)
                if isinstance(found, Instance):
                    if name not in found.fields:
                        raise Cut("an attribute whose deletion calls something")
                    found.fields.pop(name)
                elif isinstance(found, Modelled):
                    getattr(found, "fields", {}).pop(name, None)
            case ir.Subscript(value=owner, index=index):
                container = evaluation.evaluate(rank, frame, owner)
                item = evaluation.evaluate(rank, frame, index)
                method = attributes.special(container, "__delitem__")
                if method is MISSING:
                    remove(rank, container, item)
                elif (id(target), "del") not in frame.implicit:
                    raise NeedsCall(target, method, (container, item), key=(id(target), "del"))


def remove(rank: Rank, container: Value, index: Value) -> None:
    """``del container[index]`` for a container that is no object of the project."""
    if isinstance(container, dict):
        if operations.hashable(rank, index) not in container and not open_tables.is_open(container):
            raise fail("KeyError")
        container.pop(operations.hashable(rank, index), None)
    elif isinstance(container, list):
        if isinstance(index, operations.SliceValue) and index.is_plain:
            del container[index.python()]
        elif isinstance(index, int) and -len(container) <= index < len(container):
            del container[index]
        else:
            raise Cut("an unknown index of a list")
