"""Methods that classes of a program inherit from the standard library: containers, their mixins, exit stacks."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import assignment, calls, construction, derived, identity, operations
from jaxmpi_lint.interpreter.container_values import DefaultDict, alike
from jaxmpi_lint.interpreter.contexts import enter_value, exit_value
from jaxmpi_lint.interpreter.derived_names import SPECIAL
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import ProgramError, Raised
from jaxmpi_lint.interpreter.values import MISSING, BoundMethod, ClassValue, Instance, Library, Method, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _new(rank: Rank, arguments: Arguments) -> Running:
    """`object.__new__`; what that of a base with data makes is not known."""
    cls = arguments.get(0)
    if isinstance(cls, ClassValue):
        made = yield from construction.new(rank, cls, arguments.values[1:], rank.state["span"])
        if construction.is_plain(cls) or derived.has_base(made):
            return made
    return rank.symbol("new", *arguments.values, is_guess=True)


def _init(rank: Rank, arguments: Arguments) -> Running:
    yield from derived.fill(rank, arguments.get(0), arguments.values[1:], dict(arguments.keywords))


def _len(rank: Rank, arguments: Arguments) -> Running:
    base = derived.base_of(arguments.get(0))
    return (yield from rank.call(Library("builtins.len"), (base,), {}, rank.state["span"]))


def _iter(rank: Rank, arguments: Arguments) -> Value:
    return calls.iterate(rank, derived.base_of(arguments.get(0)))


def _contains(rank: Rank, arguments: Arguments) -> Value:
    return identity.compare(rank, "in", arguments.get(1), derived.base_of(arguments.get(0)))


def _get_item(rank: Rank, arguments: Arguments) -> Running:
    owner, index = arguments.get(0), arguments.get(1)
    base = derived.base_of(owner)
    try:
        return operations.item(rank, base, index)
    except ProgramError as error:
        method = owner.cls.find("__missing__") if isinstance(owner, Instance) else MISSING
        if error.value.name != "KeyError" or not (method is not MISSING or isinstance(base, DefaultDict)):
            raise
        if method is not MISSING:
            return (yield from rank.call(method, (owner, index), {}, rank.state["span"]))
        if base.make is None:
            raise
        base[index] = yield from rank.call(base.make, (), {}, rank.state["span"])
        return base[index]


def _set_item(rank: Rank, arguments: Arguments) -> Value:
    assignment.store(rank, derived.base_of(arguments.get(0)), arguments.get(1), arguments.get(2))


def _delete_item(rank: Rank, arguments: Arguments) -> Value:
    assignment.remove(rank, derived.base_of(arguments.get(0)), arguments.get(1))


def _operator(symbol: str) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Value:
        return operations.binary(rank, symbol, *(derived.base_of(arguments.get(position)) for position in (0, 1)))

    return call


def _in_place(name: str) -> Handler:
    """``owner += other``: a method of the base changes it."""

    def call(rank: Rank, arguments: Arguments) -> Running:
        owner, other = (derived.base_of(arguments.get(position)) for position in (0, 1))
        yield from rank.call(Method(owner, name), (other,), {}, rank.state["span"])
        return arguments.get(0)

    return call


def _enter(rank: Rank, arguments: Arguments) -> Running:
    yield from enter_value(rank, derived.base_of(arguments.get(0)), rank.state["span"])
    return arguments.get(0)


def _exit(rank: Rank, arguments: Arguments) -> Running:
    raised = arguments.get(2)
    error = ProgramError(raised) if isinstance(raised, Raised) else None
    return (yield from exit_value(rank, derived.base_of(arguments.get(0)), error, rank.state["span"]))


def _close(rank: Rank, arguments: Arguments) -> Running:
    owner = arguments.get(0)
    yield from rank.call(owner.cls.find("__exit__"), (owner, None, None, None), {}, rank.state["span"])


def _own_item(rank: Rank, owner: Instance, key: Value) -> Running:
    """``owner[key]`` by the method of its class."""
    return (yield from rank.call(owner.cls.find("__getitem__"), (owner, key), {}, rank.state["span"]))


def _has_item(rank: Rank, arguments: Arguments) -> Running:
    """``key in mapping``: whether it has an item."""
    try:
        yield from _own_item(rank, arguments.get(0), arguments.get(1))
    except ProgramError as error:
        if error.value.name != "KeyError":
            raise
        return False
    return True


def _get(rank: Rank, arguments: Arguments) -> Running:
    try:
        return (yield from _own_item(rank, arguments.get(0), arguments.get(1)))
    except ProgramError as error:
        if error.value.name != "KeyError":
            raise
        return arguments.get(2, "default")


def _keys(rank: Rank, arguments: Arguments) -> Running:
    return (yield from elements(rank, arguments.get(0)))


def _values(rank: Rank, arguments: Arguments) -> Running:
    pairs = yield from _items(rank, arguments)
    return alike([value for _, value in pairs], pairs)


def _items(rank: Rank, arguments: Arguments) -> Running:
    owner = arguments.get(0)
    keys = yield from elements(rank, owner)
    pairs: list[Value] = []
    for key in keys:
        pairs += [(key, (yield from _own_item(rank, owner, key)))]
    return alike(pairs, keys)


def _pop(rank: Rank, arguments: Arguments) -> Running:
    owner, key = arguments.get(0), arguments.get(1)
    try:
        value = yield from _own_item(rank, owner, key)
    except ProgramError as error:
        if error.value.name != "KeyError" or not arguments.has(2, "default"):
            raise
        return arguments.get(2, "default")
    yield from rank.call(owner.cls.find("__delitem__"), (owner, key), {}, rank.state["span"])
    return value


def _set_default(rank: Rank, arguments: Arguments) -> Running:
    owner, key = arguments.get(0), arguments.get(1)
    if not (yield from _has_item(rank, arguments)):
        yield from _store(rank, owner, key, arguments.get(2, "default"))
    return (yield from _own_item(rank, owner, key))


def _update(rank: Rank, arguments: Arguments) -> Running:
    owner, given = arguments.get(0), dict(arguments.keywords)
    if len(arguments.values) > 1:
        table = yield from rank.call(Library("builtins.dict"), arguments.values[1:2], {}, rank.state["span"])
        given = {**table, **given}
    for key, value in given.items():
        yield from _store(rank, owner, key, value)


def _store(rank: Rank, owner: Instance, key: Value, value: Value) -> Running:
    yield from rank.call(owner.cls.find("__setitem__"), (owner, key, value), {}, rank.state["span"])


def _clear(rank: Rank, arguments: Arguments) -> Running:
    owner = arguments.get(0)
    for key in (yield from elements(rank, owner)):
        yield from rank.call(owner.cls.find("__delitem__"), (owner, key), {}, rank.state["span"])


def _of_list(name: str) -> Handler:
    """What a list of the items of a sequence tells of a value."""

    def call(rank: Rank, arguments: Arguments) -> Running:
        items = yield from elements(rank, arguments.get(0))
        if name == "__contains__":
            return identity.compare(rank, "in", arguments.get(1), items)
        return (yield from rank.call(Method(items, name), arguments.values[1:], {}, rank.state["span"]))

    return call


def _append(rank: Rank, arguments: Arguments) -> Running:
    owner, value = arguments.get(0), arguments.get(1)
    span = rank.state["span"]
    length = yield from rank.call(Library("builtins.len"), (owner,), {}, span)
    yield from rank.call(owner.cls.find("insert"), (owner, length, value), {}, span)


def _extend(rank: Rank, arguments: Arguments) -> Running:
    for value in (yield from elements(rank, arguments.get(1))):
        yield from rank.call(
            BoundMethod(arguments.get(0).cls.find("append"), arguments.get(0)), (value,), {}, rank.state["span"]
        )
    return arguments.get(0)


def _itself(rank: Rank, arguments: Arguments) -> Value:
    return arguments.get(0)


_OPERATORS = {
    "__eq__": "==",
    "__add__": "+",
    "__mul__": "*",
    "__or__": "|",
    "__and__": "&",
    "__sub__": "-",
    "__xor__": "^",
}
_OF_BASES: dict[str, Handler] = {
    "__init__": _init,
    "__len__": _len,
    "__iter__": _iter,
    "__contains__": _contains,
    "__getitem__": _get_item,
    "__setitem__": _set_item,
    "__delitem__": _delete_item,
    **{name: _operator(symbol) for name, symbol in _OPERATORS.items()},
    "__iadd__": _in_place("extend"),
    "__ior__": _in_place("update"),
    "__enter__": _enter,
    "__exit__": _exit,
    "close": _close,
}
_OF_MAPPINGS: dict[str, Handler] = {
    "__contains__": _has_item,
    "get": _get,
    "keys": _keys,
    "values": _values,
    "items": _items,
    "pop": _pop,
    "update": _update,
    "setdefault": _set_default,
    "clear": _clear,
}
_OF_SEQUENCES: dict[str, Handler] = {
    **{name: _of_list(name) for name in ("__contains__", "index", "count")},
    "append": _append,
    "extend": _extend,
    "__iadd__": _extend,
}


def _for_objects(handler: Handler) -> Handler:
    """The method, for objects of the project; what it is for other values is not known."""

    def call(rank: Rank, arguments: Arguments) -> Running:
        if not isinstance(arguments.get(0), Instance):
            return rank.symbol("call", *arguments.values)
        result = handler(rank, arguments)
        return (yield from result) if inspect.isgenerator(result) else result

    return call


_MIXINS = {
    "Mapping": _OF_MAPPINGS,
    "MutableMapping": _OF_MAPPINGS,
    "Sequence": _OF_SEQUENCES,
    "MutableSequence": _OF_SEQUENCES,
}
FUNCTIONS: dict[str, Any] = {
    "builtins.object.__new__": _new,
    **{f"derived.{name}": _for_objects(handler) for name, handler in _OF_BASES.items()},
    **{f"{base}.{name}": _for_objects(_OF_BASES[name]) for base in SPECIAL for name in SPECIAL[base]},
    **{
        f"mixin.{base}.{name}": _for_objects(handler)
        for base, handlers in _MIXINS.items()
        for name, handler in handlers.items()
    },
    "mixin.Iterator.__iter__": _itself,
    "mixin.AbstractContextManager.__enter__": _itself,
}
