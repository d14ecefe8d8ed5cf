"""`collections`, `dataclasses`, `copy`, `enum`: containers and records."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import derived, open_tables, operations
from jaxmpi_lint.interpreter.construction import FieldDefault
from jaxmpi_lint.interpreter.container_values import DefaultDict, GuessedList, Record
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.definitions import Marking, fields_of, is_dataclass
from jaxmpi_lint.interpreter.derived_names import RECORD_DECORATORS
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.libraries.containers import METHODS as BUILT_IN
from jaxmpi_lint.interpreter.libraries.handlers import pure
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import MISSING, ClassValue, Cut, Instance, Library, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class Deque(list[Any]):
    """A deque; ``limit`` is the most items that it keeps."""

    limit: int | None = None

    def trim(self, at_end: bool) -> None:
        """Drop items beyond the limit, at the end or at the beginning."""
        while self.limit is not None and len(self) > self.limit:
            self.pop(-1 if at_end else 0)


def _deque(rank: Rank, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0, "iterable", ()))
    limit = arguments.get(1, "maxlen")
    if isinstance(items, GuessedList):
        return items
    if isinstance(limit, int) and limit < 0:
        raise fail("ValueError")
    found = Deque(items)
    found.limit = limit if isinstance(limit, int) else None
    found.trim(False)
    return found


def _append(rank: Rank, items: Deque, arguments: Arguments) -> Value:
    items.append(arguments.get(0))
    items.trim(False)


def _append_left(rank: Rank, items: Deque, arguments: Arguments) -> Value:
    items.insert(0, arguments.get(0))
    items.trim(True)


def _extend(rank: Rank, items: Deque, arguments: Arguments) -> Running:
    items.extend((yield from elements(rank, arguments.get(0))))
    items.trim(False)


def _extend_left(rank: Rank, items: Deque, arguments: Arguments) -> Running:
    items[:0] = (yield from elements(rank, arguments.get(0)))[::-1]
    items.trim(True)


def _rotate(rank: Rank, items: list[Value], arguments: Arguments) -> Value:
    by = arguments.get(0, "n", 1)
    if not isinstance(by, int):
        raise Cut("an unknown index of a list")
    if items:
        by %= len(items)
        items[:] = [*items[-by:], *items[:-by]] if by else items


class Counts(DefaultDict):
    """A `collections.Counter`."""

    def add(self, rank: Rank, items: Iterable[Value]) -> Counts:
        """Count items."""
        for item in items:
            key = operations.hashable(rank, item)
            self[key] = self.get(key, 0) + 1
        return self


def _counter(rank: Rank, arguments: Arguments) -> Running:
    given = arguments.get(0, "", ())
    found = Counts(int)
    found.update(arguments.keywords)
    if isinstance(given, dict):
        found.update(given)
        return found
    items = yield from elements(rank, given)
    return rank.symbol("counter", items) if isinstance(items, GuessedList) else found.add(rank, items)


def _most_common(rank: Rank, counts: Counts, arguments: Arguments) -> Value:
    limit = arguments.get(0, "n")
    if not all(isinstance(value, int) for value in counts.values()) or not isinstance(limit, (int, type(None))):
        return rank.symbol("most common", counts, limit, kind="list")
    return sorted(counts.items(), key=lambda pair: -pair[1])[:limit]


def _count_more(rank: Rank, counts: Counts, arguments: Arguments) -> Running:
    given = arguments.get(0, "", ())
    _add_counts(rank, counts, "+", arguments.keywords)
    if isinstance(given, dict) and not open_tables.is_open(given):
        _add_counts(rank, counts, "+", given)
        return None
    items = yield from elements(rank, given)
    if isinstance(items, GuessedList) or open_tables.is_open(counts):
        open_tables.update(rank, counts, rank.symbol("counted", *items))
    else:
        counts.add(rank, items)


def _add_counts(rank: Rank, counts: Counts, operator: str, given: Mapping[Any, Value]) -> None:
    for key, value in given.items():
        counts[key] = operations.binary(rank, operator, counts.get(key, 0), value)


def _count_less(rank: Rank, counts: Counts, arguments: Arguments) -> Running:
    given = arguments.get(0, "", ())
    _add_counts(rank, counts, "-", arguments.keywords)
    if not isinstance(given, dict):
        items = yield from elements(rank, given)
        given = rank.symbol("counter", items) if isinstance(items, GuessedList) else Counts(int).add(rank, items)
    if not isinstance(given, dict) or open_tables.is_open(given):
        open_tables.update(rank, counts, rank.symbol("subtracted", given))
    else:
        _add_counts(rank, counts, "-", given)


def _items_by_count(rank: Rank, counts: Counts, arguments: Arguments) -> Value:
    if not all(isinstance(value, int) and value < operations.MAX_TEXT for value in counts.values()):
        return rank.symbol("elements", counts, kind="list")
    return [key for key, value in counts.items() for _ in range(value)]


class RecordType(Modelled):
    """The class that `collections.namedtuple` makes."""

    __slots__ = ("defaults", "names", "title")
    type_name = "record type"

    def __init__(self, title: str, names: tuple[str, ...], defaults: tuple[Value, ...]) -> None:
        self.title = title
        self.names = names
        self.defaults = defaults

    def freeze(self, _depth: int) -> object:
        """Title and names."""
        return "record type", self.title, self.names


def _named_tuple(rank: Rank, arguments: Arguments) -> Value:
    title, names = arguments.get(0), arguments.get(1, "field_names")
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        return rank.symbol("named tuple", title, names)
    defaults = arguments.keywords.get("defaults") or ()
    return RecordType(str(title), tuple(names), tuple(defaults) if isinstance(defaults, (list, tuple)) else ())


def _typed_tuple(rank: Rank, arguments: Arguments) -> Value:
    fields = arguments.get(1)
    known = isinstance(fields, (list, tuple)) and all(isinstance(one, tuple) and one for one in fields)
    names = [one[0] for one in fields] if known else None
    return _named_tuple(rank, Arguments((arguments.get(0), names), {}))


def _make_record(rank: Rank, kind: RecordType, arguments: Arguments) -> Value:
    values = dict(zip(kind.names[len(kind.names) - len(kind.defaults) :], kind.defaults, strict=True))
    values.update(zip(kind.names, arguments.values, strict=False))
    values.update(arguments.keywords)
    if len(arguments.values) > len(kind.names) or set(values) != set(kind.names):
        raise fail("TypeError")
    return Record.make(kind.title, kind.names, (values[name] for name in kind.names))


def _make_of_items(rank: Rank, kind: RecordType, arguments: Arguments) -> Running:
    items = yield from elements(rank, arguments.get(0))
    if isinstance(items, GuessedList) or len(items) != len(kind.names):
        return rank.symbol("record", kind, items)
    return Record.make(kind.title, kind.names, items)


def _replaced(rank: Rank, record: Record, arguments: Arguments) -> Value:
    items = [arguments.keywords.get(name, item) for name, item in zip(record.names, record, strict=True)]
    return Record.make(record.title, record.names, items)


def _as_dict(rank: Rank, record: Record, arguments: Arguments) -> Value:
    return dict(zip(record.names, record, strict=True))


def _field(rank: Rank, arguments: Arguments) -> Value:
    """The settings of a field; those of `attrs` and `pydantic` in the words of `dataclasses`."""
    settings = dict(arguments.keywords)
    if arguments.values and arguments.get(0) is not ...:
        settings["default"] = arguments.get(0)
    if isinstance(settings.get("default"), Factory):
        settings["default_factory"] = settings.pop("default").function
    if "factory" in settings:
        settings["default_factory"] = settings.pop("factory")
    return FieldDefault(settings)


class Factory(Modelled):
    """`attr.Factory`: a default that a function makes."""

    __slots__ = ("function",)

    def __init__(self, function: Value) -> None:
        self.function = function

    def freeze(self, depth: int) -> object:
        """The function."""
        return "factory", freeze(self.function, depth)


def _model_copy(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0)
    changes = arguments.keywords.get("update") or {}
    if not isinstance(changes, dict) or open_tables.is_open(changes):
        raise Cut("fields that are not known")
    return Instance(value.cls, rank.serial("object"), {**value.fields, **changes})


def _replace(rank: Rank, arguments: Arguments) -> Running:
    value = arguments.get(0)
    if not isinstance(value, Instance):
        return rank.symbol("replaced", value, dict(arguments.keywords))
    made = Instance(value.cls, rank.serial("object"), {**value.fields, **arguments.keywords})
    method = value.cls.find("__post_init__")
    if method is not MISSING:
        yield from rank.call(method, (made,), {}, rank.state["span"])
    return made


def _fields_as(kind: type) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Value:
        value = arguments.get(0)
        if not isinstance(value, Instance):
            return rank.symbol("fields", value)
        names = [name for name, _, _ in fields_of(value.cls)]
        found = {name: _plain(value.fields.get(name)) for name in names}
        return found if kind is dict else tuple(found.values())

    return call


def _plain(value: Value) -> Value:
    """Records inside of a record are converted too."""
    if isinstance(value, Instance) and is_dataclass(value.cls):
        return {name: _plain(value.fields.get(name)) for name, _, _ in fields_of(value.cls)}
    if isinstance(value, list):
        return type(value)(_plain(item) for item in value)
    return copied(value)


def _fields(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0)
    cls = value.cls if isinstance(value, Instance) else value
    if not isinstance(cls, ClassValue):
        return rank.symbol("fields", value, kind="list")
    return [Record.make("Field", ("name",), (name,)) for name, _, _ in fields_of(cls)]


def _is_record(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0)
    cls = value.cls if isinstance(value, Instance) else value
    if isinstance(cls, ClassValue):
        return is_dataclass(cls)
    return rank.symbol("is a dataclass", value, kind="bool") if isinstance(value, Symbol) else False


def _copying(name: str, plain: Callable[[Rank, Arguments], Value]) -> Handler:
    """A copy, which a special method of the object may make."""

    def call(rank: Rank, arguments: Arguments) -> Running:
        value = arguments.get(0)
        method = value.cls.find(name) if isinstance(value, Instance) else MISSING
        if method is MISSING:
            return plain(rank, arguments)
        given: tuple[Value, ...] = (value, {}) if name == "__deepcopy__" else (value,)
        return (yield from rank.call(method, given, {}, rank.state["span"]))

    return call


def _copy(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0)
    if isinstance(value, Instance):
        return derived.with_copied_base(Instance(value.cls, rank.serial("object"), dict(value.fields)), copy.copy)
    if hasattr(value, "replicate"):
        return value.replicate(lambda part: part)
    if isinstance(value, GuessedList):
        return GuessedList(value)
    if isinstance(value, DefaultDict):
        return type(value)(value.make, value)
    if isinstance(value, frozenset):
        return value
    return value.copy() if hasattr(value, "copy") and not isinstance(value, Modelled) else value


def _deep_copy(rank: Rank, arguments: Arguments) -> Value:
    return copied(arguments.get(0))


def _marking(dotted: str) -> Handler:
    """A decorator that may have arguments."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        made = Marking(dotted)
        return made.decorate(rank, arguments.get(0)) if arguments.values and not _is_number(arguments) else made

    return call


def _is_number(arguments: Arguments) -> bool:
    return isinstance(arguments.get(0), (int, type(None)))


FUNCTIONS: dict[str, Any] = {
    "collections.deque": _deque,
    "collections.Counter": _counter,
    "collections.namedtuple": _named_tuple,
    "typing.NamedTuple": _typed_tuple,
    **dict.fromkeys(
        ("dataclasses.field", "attr.ib", "attr.attrib", "attr.field", "attrs.field", "pydantic.Field"), _field
    ),
    **dict.fromkeys(("attr.Factory", "attrs.Factory"), lambda rank, arguments: Factory(arguments.get(0))),
    **dict.fromkeys(("dataclasses.replace", "attr.evolve", "attrs.evolve"), _replace),
    **dict.fromkeys(("dataclasses.asdict", "attr.asdict", "attrs.asdict"), _fields_as(dict)),
    **dict.fromkeys(("dataclasses.astuple", "attr.astuple", "attrs.astuple"), _fields_as(tuple)),
    "mixin.NamedTuple._asdict": _fields_as(dict),
    "mixin.NamedTuple._replace": _replace,
    **{f"mixin.BaseModel.{name}": _fields_as(dict) for name in ("dict", "model_dump")},
    **{f"mixin.BaseModel.{name}": _model_copy for name in ("copy", "model_copy")},
    "dataclasses.fields": _fields,
    "dataclasses.is_dataclass": _is_record,
    **{name: _marking(name) for name in RECORD_DECORATORS},
    "functools.lru_cache": _marking("functools.lru_cache"),
    "functools.cache": _marking("functools.cache"),
    "contextlib.contextmanager": _marking("contextlib.contextmanager"),
    "copy.copy": _copying("__copy__", _copy),
    "copy.deepcopy": _copying("__deepcopy__", _deep_copy),
    "typing.cast": lambda rank, arguments: arguments.get(1),
    "enum.auto": lambda rank, arguments: Library("enum.auto()"),
    "typing.TypeVar": pure("typing.TypeVar"),
    "deque.maxlen:attribute": lambda rank, value: value.limit,
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "deque": {
        **BUILT_IN["list"],
        "append": _append,
        "appendleft": _append_left,
        "extend": _extend,
        "extendleft": _extend_left,
        "rotate": _rotate,
    },
    "counter": {
        **BUILT_IN["dict"],
        "most_common": _most_common,
        "update": _count_more,
        "subtract": _count_less,
        "elements": _items_by_count,
        "total": lambda rank, counts, arguments: rank.symbol("total", counts, kind="int"),
    },
    "record type": {"__call__": _make_record, "_make": _make_of_items},
    "record": {**BUILT_IN["tuple"], "_replace": _replaced, "_asdict": _as_dict},
}
TYPES: dict[type, str] = {Deque: "deque", Counts: "counter", Record: "record"}
PURE = ("enum", "typing", "abc", "collections.abc", "types", "inspect", "numbers", "decimal", "fractions")
