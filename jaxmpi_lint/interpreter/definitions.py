"""Definitions of functions and classes, with their decorators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import attributes, evaluation, operations
from jaxmpi_lint.interpreter.derived_names import RECORD_DECORATORS
from jaxmpi_lint.interpreter.descriptors import Descriptor
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.managed import Managed, ManagedFunction
from jaxmpi_lint.interpreter.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    Cut,
    FunctionValue,
    GeneratorValue,
    Instance,
    Library,
    Method,
    Partial,
    Running,
    Scope,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_DESCRIPTORS = {
    "builtins.property": "property",
    "functools.cached_property": "cached",
    "builtins.staticmethod": "static",
    "builtins.classmethod": "class",
    "abc.abstractproperty": "property",
}
_MARKS = {
    "contextlib.contextmanager": "contextmanager",
    "functools.lru_cache": "cached",
    "functools.cache": "cached",
    **dict.fromkeys(RECORD_DECORATORS, "dataclass"),
}


def define_function(rank: Rank, frame: Frame, step: ir.Define) -> Running:
    """Bind a function to its name."""
    module = frame.scope.module
    function = module.ir.functions[step.qualname]
    defaults: dict[str, Value] = {}
    for parameter in function.parameters:
        if parameter.default is not None:
            compute = partial(evaluation.evaluate, rank, frame, parameter.default)
            defaults[parameter.name] = yield from rank.settle(frame, compute)
    value: Value = FunctionValue(function, closure(frame), defaults)
    value = yield from _decorated(rank, frame, function.decorators, value)
    _bind(frame, step.name, value)
    return None


def closure(frame: Frame) -> Scope:
    """The scope that inner functions see: a class body is skipped, the module is the last one."""
    scope: Scope = frame.scope
    if frame.function.kind == "class" and scope.outer is not None:
        return scope.outer
    return scope


def _bind(frame: Frame, name: str, value: Value) -> None:
    target = frame.scope.module.scope if name in frame.function.globals else frame.scope
    target.names[name] = value


def _decorated(rank: Rank, frame: Frame, decorators: tuple[ir.Expression, ...], value: Value) -> Running:
    for node in reversed(decorators):
        _take_results(frame, node)
        decorator = yield from rank.settle(frame, partial(evaluation.evaluate, rank, frame, node))
        value = yield from decorate(rank, decorator, value, node)
    return value


def _take_results(frame: Frame, decorator: ir.Expression) -> None:
    """Find the results of the calls in a decorator: the definition has other nodes for them than the steps before."""
    calls = {node.span: node for node in ir.walk(decorator) if isinstance(node, ir.Call)}
    if not calls:
        return
    for block in frame.function.blocks:
        for step in block.steps:
            if (
                isinstance(step, ir.Evaluate)
                and isinstance(step.expression, ir.Call)
                and step.span[0] <= decorator.span[0]
            ):
                known = calls.get(step.expression.span)
                if known is not None and id(step.expression) in frame.results:
                    frame.results[id(known)] = frame.results[id(step.expression)]


def decorate(rank: Rank, decorator: Value, value: Value, node: ir.Expression) -> Running:
    """Apply one decorator; one that is not known leaves the function as it is."""
    if isinstance(decorator, Library):
        return _by_library(rank, decorator, value)
    if isinstance(decorator, Managed) and decorator.again is not None:
        return ManagedFunction(value, decorator)
    if isinstance(decorator, (Managed, GeneratorValue)):
        raise Cut("a context manager as a decorator")
    if isinstance(decorator, Instance):
        if decorator.cls.find("__call__") is MISSING and decorator.cls.find("__enter__") is not MISSING:
            return ManagedFunction(value, decorator)
        return (yield from rank.call(decorator, (value,), {}, node.span))
    if isinstance(decorator, (FunctionValue, BoundMethod, Partial, ClassValue)):
        if isinstance(decorator, Partial) and isinstance(decorator.function, Library):
            handler = rank.models.function(decorator.function.dotted)
            if handler is None:
                return _by_library(rank, decorator.function, value)
        return (yield from rank.call(decorator, (value,), {}, node.span))
    if isinstance(decorator, Method) and rank.models.method(rank.models.type_of(decorator.receiver), decorator.name):
        return (yield from rank.call(decorator, (value,), {}, node.span))
    if isinstance(decorator, Method) and isinstance(decorator.receiver, Descriptor):
        return decorator.receiver.changed(decorator.name, value)
    if isinstance(node, ir.Attribute) and node.attr in ("getter", "setter", "deleter"):
        raise Cut("a property that is changed elsewhere")
    described = getattr(decorator, "decorate", None)
    return described(rank, value) if described is not None else value


def _by_library(rank: Rank, decorator: Library, value: Value) -> Value:
    kind = _DESCRIPTORS.get(decorator.dotted)
    if kind is not None:
        return Descriptor(kind, value)
    mark = _MARKS.get(decorator.dotted)
    if mark is not None and isinstance(value, (FunctionValue, ClassValue)):
        value.decorators = (*value.decorators, mark)
        return value
    return rank.program.decorate(rank, decorator.dotted, value)


class Marking:
    """A decorator with arguments, such as ``dataclass(frozen=True)``."""

    def __init__(self, dotted: str) -> None:
        self.dotted = dotted

    def decorate(self, rank: Rank, value: Value) -> Value:
        """As without arguments."""
        return _by_library(rank, Library(self.dotted), value)

    def freeze(self, _depth: int) -> object:
        """The name."""
        return "decorator", self.dotted


def define_class(rank: Rank, frame: Frame, step: ir.Define) -> Running:
    """Run a class body and bind the class."""
    module = frame.scope.module
    found = module.ir.classes[step.qualname]
    bases: list[Value] = []
    for base in found.bases:
        value = yield from rank.settle(frame, partial(evaluation.evaluate, rank, frame, base))
        bases += [value]
    body = module.ir.functions[found.body]
    scope = Scope({}, module, closure(frame))
    inner = rank.frame(body, scope, found.name_span)
    yield from rank.run(inner)
    members = dict(scope.names)
    cls = ClassValue(found, module, tuple(bases), members)
    for name, member in members.items():
        _own(member, cls)
        named = attributes.special(member, "__set_name__")
        if named is not MISSING:
            yield from rank.call(named, (member, cls, name), {}, found.name_span)
    if any(isinstance(b, Library) and b.dotted in _ENUMS for one in cls.order() for b in one.bases):
        _make_enum(rank, cls)
    hook = cls.find("__init_subclass__", cls)
    hook = hook.function if isinstance(hook, Descriptor) else hook
    if isinstance(hook, FunctionValue):
        keywords: dict[str, Value] = {}
        for name, node in found.keywords.items():
            keywords[name] = yield from rank.settle(frame, partial(evaluation.evaluate, rank, frame, node))
        keywords.pop("metaclass", None)
        yield from rank.call(hook, (cls,), keywords, found.name_span)
    value = yield from _decorated(rank, frame, found.decorators, cls)
    _bind(frame, step.name, value)
    return None


_ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.Flag", "enum.IntFlag", "enum.StrEnum"})


def _own(member: Value, cls: ClassValue) -> None:
    function = member
    while isinstance(function, Descriptor) or hasattr(function, "function"):
        function = function.function
    if isinstance(function, FunctionValue) and function.owner is None:
        function.owner = cls


def _make_enum(rank: Rank, cls: ClassValue) -> None:
    """Replace the values of an enumeration by its members; those of an IntEnum are their numbers."""
    names = {base.dotted for base in cls.library_bases() if isinstance(base, Library)}
    is_computed = cls.find("__new__") is not MISSING or cls.find("_generate_next_value_") is not MISSING
    known: list[Instance] = []
    last: Value = 0
    for name, value in list(cls.members.items()):
        if name.startswith("_") or isinstance(value, (FunctionValue, Descriptor)):
            continue
        if is_computed:
            last = rank.symbol("member value", cls, name)
        elif isinstance(value, Library) and value.dotted.startswith("enum.auto"):
            last = _next_value(rank, names, name, last)
        else:
            last = value
        if names & {"enum.IntEnum", "enum.IntFlag"}:
            cls.members[name] = last
            continue
        same = (one for one in known if operations.equal(rank, one.fields["value"], last, True) is True)
        member = next(same, None) or Instance(cls, len(known), {"name": name, "value": last})
        cls.members[name] = member
        known += [member] if member not in known else []


def _next_value(rank: Rank, bases: set[str], name: str, last: Value) -> Value:
    """What ``enum.auto()`` gives after a value."""
    if "enum.StrEnum" in bases:
        return name.lower()
    if not isinstance(last, int):
        return rank.symbol("member value", name)
    return 1 << last.bit_length() if bases & {"enum.Flag", "enum.IntFlag"} else last + 1


def fields_of(cls: ClassValue) -> list[tuple[str, ir.Expression | None, ClassValue]]:
    """The fields of a dataclass in order, those of its bases first."""
    found: dict[str, tuple[str, ir.Expression | None, ClassValue]] = {}
    for one in reversed(cls.order()):
        body = one.module.ir.functions[one.ir.body]
        for step in body.steps():
            if not (isinstance(step, ir.Assign) and isinstance(step.targets[0], ir.Name)):
                continue
            name = step.targets[0].id
            is_field = hasattr(one.members.get(name), "settings")
            if step.annotation is not None:
                is_field = "ClassVar" not in one.module.ir.source(step.annotation.span)
            if is_field:
                found[name] = (name, step.value, one)
    return list(found.values())


def is_dataclass(cls: ClassValue) -> bool:
    """Whether a class or a base is a dataclass, a named tuple or a typed dict."""
    return cls.is_record or any(
        isinstance(base, Library) and base.dotted == "typing.TypedDict" for base in cls.library_bases()
    )
