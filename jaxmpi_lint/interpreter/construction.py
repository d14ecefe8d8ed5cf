"""Objects of classes of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import derived
from jaxmpi_lint.interpreter.definitions import fields_of, is_dataclass
from jaxmpi_lint.interpreter.descriptors import Descriptor
from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.operations import equal
from jaxmpi_lint.interpreter.raised import Raised, fail
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import (
    MISSING,
    ClassValue,
    Cut,
    FunctionValue,
    Instance,
    Library,
    LibraryMethod,
    Running,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_EXCEPTIONS = ("Error", "Exception", "Warning", "Exit", "Interrupt", "StopIteration")


def construct(
    rank: Rank, cls: ClassValue, args: tuple[Value, ...], keywords: dict[str, Value], span: ir.Span
) -> Running:
    """Call a class."""
    if cls.has_metaclass and not _has_plain_metaclass(cls):
        raise Cut("a class with a metaclass of the program")
    members = [one for one in cls.members.values() if isinstance(one, Instance) and one.cls is cls]
    if members and cls.is_enumeration:
        return _member(rank, cls, members, args)
    if cls.is_enumeration and len(args) == 1:
        return args[0] if args[0] in cls.members.values() else rank.symbol("member", cls, *args)
    if _is_exception(cls):
        return (yield from _exception(rank, cls, args, keywords, span))
    maker = cls.find("__new__")
    if maker is MISSING:
        made = yield from new(rank, cls, args, span)
    elif cls.is_enumeration:
        return rank.symbol("new", cls, *args, is_guess=True)
    else:
        function = maker.function if isinstance(maker, Descriptor) else maker
        made = yield from rank.call(function, (cls, *args), keywords, span)
        if not isinstance(made, Instance) or cls not in made.cls.order():
            return made
    yield from _initialise(rank, made, args, keywords, span)
    return made


def new(rank: Rank, cls: ClassValue, args: tuple[Value, ...], span: ir.Span) -> Running:
    """An object before ``__init__``, as `object.__new__` makes it."""
    made = Instance(cls, rank.serial("object"))
    rank.state["span"] = span
    yield from derived.begin(rank, made, args)
    return made


def _initialise(
    rank: Rank, made: Instance, args: tuple[Value, ...], keywords: dict[str, Value], span: ir.Span
) -> Running:
    cls = made.cls
    method = cls.find("__init__")
    if method is not MISSING and not (isinstance(method, LibraryMethod) and is_dataclass(cls)):
        yield from rank.call(method, (made, *args), keywords, span)
    elif is_dataclass(cls) and _has_validators(cls):
        made.fields["*unknown"] = True
    elif is_dataclass(cls):
        yield from _fill_fields(rank, cls, made, list(args), keywords, span)
    elif cls.library_bases() and not (is_plain(cls) or derived.has_base(made)):
        made.fields["*unknown"] = True
    elif (args or keywords) and not derived.has_base(made) and cls.find("__new__") is MISSING:
        raise fail("TypeError")


def _exception(
    rank: Rank, cls: ClassValue, args: tuple[Value, ...], keywords: dict[str, Value], span: ir.Span
) -> Running:
    """An exception of the project, with the fields that its ``__init__`` sets."""
    raised = Raised(cls, args)
    method = cls.find("__init__")
    if method is not MISSING:
        yield from rank.call(method, (raised, *args), keywords, span)
    raised.fields["*made"] = True
    return raised


def _has_plain_metaclass(cls: ClassValue) -> bool:
    """Whether the metaclass is that of abstract classes, which calls do not notice."""
    nodes = (one.ir.keywords.get("metaclass") for one in cls.order())
    return all(node is None or (ir.dotted(node) or "").rpartition(".")[2] == "ABCMeta" for node in nodes)


def _member(rank: Rank, cls: ClassValue, members: list[Instance], args: tuple[Value, ...]) -> Value:
    """The member of an enumeration that has a value."""
    for member in members:
        if len(args) == 1 and equal(rank, member.fields.get("value"), args[0], True) is True:
            return member
    return rank.symbol("member", cls, *args)


def _is_exception(cls: ClassValue) -> bool:
    return any(isinstance(base, Library) and base.dotted.endswith(_EXCEPTIONS) for base in cls.library_bases())


def is_plain(cls: ClassValue) -> bool:
    """Whether the bases that are not of the project add nothing to an object."""
    plain = ("abc.ABC", "builtins.object", "typing.Protocol", "typing.Generic", "abc.ABCMeta")
    return all(isinstance(base, Library) and base.dotted in plain for base in cls.library_bases())


def _fill_fields(
    rank: Rank, cls: ClassValue, made: Instance, args: list[Value], keywords: dict[str, Value], span: ir.Span
) -> Running:
    for name, default, owner in fields_of(cls):
        setting = owner.members.get(name)
        field = setting if isinstance(setting, FieldDefault) else None
        key = name if name in keywords else name.lstrip("_")  # `attrs` takes a private field without its underscore
        if (args and (field is None or field.is_argument)) or key in keywords:
            given = args.pop(0) if args and (field is None or field.is_argument) else keywords[key]
            made.fields[name] = yield from _converted(rank, field, given, span)
        elif default is None or (field is not None and field.is_required and field.is_argument):
            raise fail("TypeError")
        elif field is None or not field.is_required:
            made.fields[name] = yield from _default(rank, owner, name, span)
    for hook in ("__post_init__", "__attrs_post_init__"):
        method = cls.find(hook)
        if method is not MISSING:
            yield from rank.call(method, (made,), {}, span)
    return None


def _converted(rank: Rank, field: FieldDefault | None, value: Value, span: ir.Span) -> Running:
    """The value of a field of `attrs`, as its ``converter`` makes it."""
    converter = field.settings.get("converter") if field is not None else None
    return value if converter is None else (yield from rank.call(converter, (value,), {}, span))


def _has_validators(cls: ClassValue) -> bool:
    """Whether functions of a model of `pydantic` may replace the values of its fields."""
    if not any(isinstance(base, Library) and base.dotted.startswith("pydantic.") for base in cls.library_bases()):
        return False
    members = (member for one in cls.order() for member in one.members.values())
    functions = (one.function if isinstance(one, Descriptor) else one for one in members)
    decorators = (node for one in functions if isinstance(one, FunctionValue) for node in one.ir.decorators)
    return any(
        "validator" in (ir.dotted(node.func if isinstance(node, ir.Call) else node) or "") for node in decorators
    )


def _default(rank: Rank, owner: ClassValue, name: str, span: ir.Span) -> Running:
    """The default of a field: the value of the class, or what its ``default_factory`` gives."""
    value = owner.members.get(name)
    if not isinstance(value, FieldDefault):
        return value
    if "default_factory" in value.settings:
        return (yield from rank.call(value.settings["default_factory"], (), {}, span))
    return value.settings.get("default")


class FieldDefault(Modelled):
    """`dataclasses.field`."""

    __slots__ = ("settings",)

    def __init__(self, settings: dict[str, Value]) -> None:
        self.settings = settings

    def freeze(self, depth: int) -> object:
        """The settings."""
        return "field", freeze(self.settings, depth)

    @property
    def is_required(self) -> bool:
        """Whether the field has no default."""
        return not {"default", "default_factory"} & self.settings.keys()

    @property
    def is_argument(self) -> bool:
        """Whether ``__init__`` takes the field."""
        return self.settings.get("init", True) is not False
