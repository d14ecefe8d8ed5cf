"""Built-in functions of Python."""

from __future__ import annotations

import builtins
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import (
    calls,
    joined_lists,
    lengths,
    open_tables,
    operations,
    process_numbers,
    shown_objects,
)
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import DefaultDict, GuessedList, Record, View
from jaxmpi_lint.interpreter.events import Abort
from jaxmpi_lint.interpreter.libraries import launcher_variables, object_texts
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.libraries.handlers import computed
from jaxmpi_lint.interpreter.libraries.table_updates import update
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import ProgramError, Raised, fail, unfit
from jaxmpi_lint.interpreter.sizes import RankCount
from jaxmpi_lint.interpreter.symbols import Symbol, Unordered
from jaxmpi_lint.interpreter.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Library,
    Partial,
    Running,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_RANGE = 1 << 40
MAX_RANKS = 64
"""Items of a range that ends at a number of ranks remember it, up to this number."""


def _len(rank: Rank, arguments: Arguments) -> Running:
    value = arguments.get(0)
    if getattr(value, "wrapped", None) is not None:
        value = value.wrapped
    joined_lists.note_whole(rank, value)
    if isinstance(value, GuessedList):
        length = rank.symbol("length", Unordered(value), kind="int")
        rank.world.decisions.counted[lengths.counted(length)] = len(value)
        return length
    may_be_equal = isinstance(value, (set, frozenset, dict)) and len(value) > 1
    if open_tables.is_open(value) or (may_be_equal and not all(map(operations.is_element, value))):
        return rank.symbol("length", value, kind="int")
    if isinstance(value, (list, tuple, dict, set, frozenset, str, bytes, range)):
        return len(value)
    if isinstance(value, ClassValue) and value.is_enumeration:
        return len(list(calls.iterate(rank, value).items))
    if isinstance(value, Array):
        if value.shape == ():
            raise fail("TypeError")
        return rank.symbol("length", value, kind="int") if value.shape is None else value.shape[0]
    if isinstance(value, Instance):
        method = value.cls.find("__len__")
        if method is MISSING:
            return rank.symbol("length", value, kind="int")
        return (yield from calls.call(rank, method, (value,), {}, rank.state["span"]))
    if isinstance(value, (int, float, type(None))):
        raise unfit(value)
    return rank.symbol("length", value, kind="int")


def _range(rank: Rank, arguments: Arguments) -> Value:
    bounds = arguments.values
    if not 1 <= len(bounds) <= 3:
        raise fail("TypeError")
    if all(isinstance(one, int) and abs(one) < MAX_RANGE for one in bounds):
        if len(bounds) == 3 and bounds[2] == 0:
            raise fail("ValueError")
        if not any(isinstance(one, RankCount) for one in bounds):
            return range(*bounds)
        rank.world.uses_size = True
        found = range(*bounds)
        return [RankCount(one) for one in found] if len(found) <= MAX_RANKS else found
    return rank.symbol("range", *bounds, kind="range")


def _convert(kind: type) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Value:
        value = arguments.get(0, "", kind())
        if isinstance(value, Array) and value.size == 1 and value.cells is not None:
            value = value.cells[0]
        is_of_base = isinstance(value, str) and (len(arguments.values) > 1 or bool(arguments.keywords))
        if isinstance(value, (int, float, str, bool)) and not is_of_base:
            told = launcher_variables.number(value) if kind is int and isinstance(value, str) else None
            if told is not None:
                return told
            try:
                return kind(value)
            except (ValueError, OverflowError) as error:
                raise fail(type(error).__name__) from None
        base = arguments.get(1, "base", 10)
        if isinstance(value, str) and type(base) is int:
            try:
                return int(value, base)
            except ValueError:
                raise fail("ValueError") from None
        if isinstance(value, Symbol) and value.kind == kind.__name__:
            return value
        made = rank.symbol("call", Library(f"builtins.{kind.__name__}"), *arguments.values, kind=kind.__name__)
        number = process_numbers.known(rank, process_numbers.source(made))
        return made if number is MISSING else number

    return call


def _bytes(rank: Rank, arguments: Arguments) -> Value:
    """Bytes of known numbers or of a known length."""
    given = arguments.get(0, "", 0)
    is_known = operations.is_plain(given) and (not isinstance(given, int) or given <= operations.MAX_TEXT)
    if not is_known or isinstance(given, (str, float)) or len(arguments.values) > 1:
        return rank.symbol("call", Library("builtins.bytes"), *arguments.values, kind="bytes")
    try:
        return bytes(given)
    except (TypeError, ValueError) as error:
        raise fail(type(error).__name__) from None


def _from_keys(rank: Rank, arguments: Arguments) -> Running:
    """`dict.fromkeys`: the same value for each key."""
    keys = yield from elements(rank, arguments.get(0))
    found: dict[Any, Value] = {operations.hashable(rank, key): arguments.get(1) for key in keys}
    if isinstance(keys, GuessedList):
        open_tables.update(rank, found, rank.symbol("keys", *keys))
    return found


def _text(rank: Rank, arguments: Arguments) -> Running:
    value = arguments.get(0, "", "")
    method = shown_objects.method_of(rank, value)
    if method is not None:
        return (yield from calls.call(rank, method, (value,), {}, rank.state["span"]))
    if operations.is_plain(value) and not isinstance(value, (Record, View, set, frozenset)):
        return str(value)
    if hasattr(value, "as_text"):
        return value.as_text()
    return rank.symbol("text", value, kind="str")


def _repr(rank: Rank, arguments: Arguments) -> Running:
    value = arguments.get(0)
    method = shown_objects.method_of(rank, value, shown_objects.REPRESENTATION)
    if method is not None:
        return (yield from calls.call(rank, method, (value,), {}, rank.state["span"]))
    if operations.is_plain(value) and not isinstance(value, (Record, set, frozenset)):
        return repr(value)
    return rank.symbol("repr", value, kind="str")


def _bool(rank: Rank, arguments: Arguments) -> Running:
    value = arguments.get(0, "", False)
    for name in ("__bool__", "__len__") if isinstance(value, Instance) else ():
        method = value.cls.find(name)
        if method is not MISSING:
            found = yield from calls.call(rank, method, (value,), {}, rank.state["span"])
            return found if isinstance(found, Symbol) else rank.truth(found)
    return value if isinstance(value, Symbol) else rank.truth(value)


def _list(rank: Rank, arguments: Arguments) -> Running:
    return (yield from elements(rank, arguments.get(0, "", ())))


def _tuple(rank: Rank, arguments: Arguments) -> Running:
    found = yield from elements(rank, arguments.get(0, "", ()))
    return found if isinstance(found, GuessedList) else tuple(found)


def _set(rank: Rank, arguments: Arguments) -> Running:
    return operations.make_set(rank, (yield from elements(rank, arguments.get(0, "", ()))))


def _dict(rank: Rank, arguments: Arguments) -> Running:
    given = arguments.get(0, "", None)
    found: dict[Any, Value] = {}
    if given is not None:
        yield from update(rank, found, given)
    found.update(arguments.keywords)
    return found


def _ordered_dict(rank: Rank, arguments: Arguments) -> Running:
    return OrderedDict((yield from _dict(rank, arguments)))


def _arithmetic(name: str) -> Handler:
    apply = getattr(builtins, name)

    def call(rank: Rank, arguments: Arguments) -> Value:
        values = arguments.values
        if all(isinstance(value, (int, float)) for value in values):
            try:
                return apply(*values)
            except (ZeroDivisionError, OverflowError, ValueError, TypeError) as error:
                raise fail(type(error).__name__) from None
        if len(values) == 1 and isinstance(values[0], Array):
            return rank.models.function(f"numpy.{name}")(rank, arguments)  # type: ignore[misc]
        return rank.symbol("call", name, *values)

    return call


def _divided(rank: Rank, arguments: Arguments) -> Value:
    """``divmod``: quotient and remainder."""
    left, right = arguments.get(0), arguments.get(1)
    if isinstance(left, Instance) or isinstance(right, Instance):
        return rank.symbol("call", "divmod", left, right)
    return rank.binary("//", left, right), rank.binary("%", left, right)


def _print(rank: Rank, arguments: Arguments) -> Running:
    yield from object_texts.show(rank, arguments.values)
    target = arguments.keywords.get("file")
    method = target.cls.find("write") if isinstance(target, Instance) else MISSING
    if method is not MISSING:
        text = rank.symbol("printed", *arguments.every()[:-1], kind="str")
        yield from calls.call(rank, BoundMethod(method, target), (text,), {}, rank.state["span"])
    return None


def _exit(rank: Rank, arguments: Arguments) -> Value:
    raise ProgramError(Raised("builtins.SystemExit", arguments.values))


def _end_job(rank: Rank, arguments: Arguments) -> Running:
    """The end of one process without `MPI_Finalize`, after which the launcher ends the others."""
    yield Abort(rank.place(rank.state["span"]), "_exit")


def _raised_kinds() -> dict[str, Handler]:
    names = [
        name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
    ]

    def make(name: str) -> Handler:
        return lambda rank, arguments: Raised(f"builtins.{name}", arguments.values)

    made = {f"builtins.{name}": make(name) for name in names}
    return {**made, **{f"builtins.{name}.__init__": _set_arguments for name in names}}


def _set_arguments(rank: Rank, arguments: Arguments) -> Value:
    """``Exception.__init__(self, ...)``."""
    raised = arguments.get(0)
    if isinstance(raised, Raised):
        raised.args = arguments.values[1:]


def _partial(rank: Rank, arguments: Arguments) -> Value:
    return Partial(arguments.get(0), arguments.values[1:], dict(arguments.keywords))


def _wraps(rank: Rank, arguments: Arguments) -> Value:
    return Library("jaxmpi.identity")


_FACTORIES: dict[str, Callable[[], Value]] = {
    "builtins.list": list,
    "builtins.int": int,
    "builtins.dict": dict,
    "builtins.set": set,
    "builtins.float": float,
    "builtins.str": str,
}


def _default_dict(rank: Rank, arguments: Arguments) -> Running:
    factory = arguments.get(0)
    make = _FACTORIES.get(factory.dotted) if isinstance(factory, Library) else None
    if factory is not None and make is None and not isinstance(factory, (FunctionValue, ClassValue, BoundMethod)):
        return rank.symbol("defaultdict", factory)
    given = yield from _dict(rank, Arguments(arguments.values[1:], arguments.keywords))
    return DefaultDict(factory if make is None else make, given)


FUNCTIONS: dict[str, Handler] = {
    **_raised_kinds(),
    "builtins.len": _len,
    "builtins.range": _range,
    "builtins.int": _convert(int),
    "builtins.float": _convert(float),
    "builtins.str": _text,
    "builtins.repr": _repr,
    "builtins.bool": _bool,
    "builtins.list": _list,
    "builtins.tuple": _tuple,
    "builtins.set": _set,
    "builtins.frozenset": _set,
    "builtins.dict": _dict,
    "collections.OrderedDict": _ordered_dict,
    "collections.defaultdict": _default_dict,
    "builtins.abs": _arithmetic("abs"),
    "builtins.round": _arithmetic("round"),
    "builtins.pow": _arithmetic("pow"),
    "builtins.divmod": _divided,
    **{
        f"builtins.{one.__name__}": computed(f"builtins.{one.__name__}", one)
        for one in (bin, hex, oct, ord, chr, ascii)
    },
    "builtins.bytes": _bytes,
    "builtins.complex": computed("builtins.complex", complex, "complex"),
    "builtins.dict.fromkeys": _from_keys,
    "builtins.int.from_bytes": computed("builtins.int.from_bytes", int.from_bytes, "int"),
    "builtins.float.fromhex": computed("builtins.float.fromhex", float.fromhex, "float"),
    "builtins.bytes.fromhex": computed("builtins.bytes.fromhex", bytes.fromhex, "bytes"),
    "builtins.print": _print,
    "builtins.exit": _exit,
    "builtins.quit": _exit,
    "sys.exit": _exit,
    "os._exit": _end_job,
    "os.abort": _end_job,
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "jaxmpi.identity": lambda rank, arguments: arguments.get(0),
    "builtins.object.__init__": lambda rank, arguments: None,
    "builtins.object.__init_subclass__": lambda rank, arguments: None,
}
PURE = ("builtins.format",)
