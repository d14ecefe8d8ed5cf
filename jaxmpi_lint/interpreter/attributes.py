"""Attributes of values: fields, members of classes, methods of values that a model knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import derived, namespaces, open_tables, views
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.descriptors import Descriptor
from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.raised import Raised, fail, kind_of
from jaxmpi_lint.interpreter.reach import release
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.unknown_methods import as_data
from jaxmpi_lint.interpreter.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    Cut,
    FunctionValue,
    Instance,
    Library,
    Method,
    ModuleValue,
    NeedsCall,
    Partial,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


_THREADS = frozenset({"threading.Thread", "multiprocessing.Process", "multiprocessing.context.Process"})


def read(rank: Rank, node: ir.Expression, owner: Value, name: str) -> Value:
    """``owner.name``; a property or ``__getattr__`` raises `NeedsCall`."""
    owner = as_data(rank, owner)
    if isinstance(owner, Instance):
        return _of_instance(rank, node, owner, name)
    if isinstance(owner, Library):
        return rank.models.attribute(rank, owner, name)
    if isinstance(owner, ModuleValue) and name != "__dict__":
        return rank.module_attribute(owner, name)
    if isinstance(owner, ClassValue):
        return _of_class(rank, owner, name)
    if isinstance(owner, Descriptor):
        return _of_super(rank, node, owner, name) if owner.kind == "super" else Method(owner, name)
    if isinstance(owner, (FunctionValue, ModuleValue)) and name == "__dict__":
        return namespaces.fields(rank, owner)
    if isinstance(owner, FunctionValue):
        return owner.fields.get(name, Method(owner, name) if name != "__name__" else owner.ir.name)
    if isinstance(owner, Raised):
        return _of_exception(rank, node, owner, name)
    if isinstance(owner, Symbol):
        given = _given(owner, name)
        return rank.models.of_symbol(rank, owner, name) if given is None else given
    if isinstance(owner, Modelled):
        return owner.attribute(rank, name)
    return rank.models.of_data(rank, owner, name)


def _given(owner: Symbol, name: str) -> Value:
    """The number that a class of a library was called with under the name of a field; None for others."""
    match owner.key:
        case (("str", "call"), ("library", str() as dotted), *_, tuple() as keywords):
            if dotted.rpartition(".")[2][:1].isupper() and keywords[0] == "dict":
                found = dict(keywords[1:]).get(("str", name))
                return found[1] if isinstance(found, tuple) and found[0] == "int" else None
    return None


def _of_exception(rank: Rank, node: ir.Expression, owner: Raised, name: str) -> Value:
    """A field of an exception; the arguments of one that an operation of Python raises are not modelled."""
    if name in owner.fields:
        return owner.fields[name]
    if name == "args" and (owner.args or "*explicit" in owner.fields) and "*none" not in owner.fields:
        return owner.args
    if (owner.name, name) in (("StopIteration", "value"), ("SystemExit", "code")):
        return owner.args[0] if owner.args else None
    if name == "__cause__":
        return None
    if name == "with_traceback":
        return BoundMethod(Library("jaxmpi.identity"), owner)
    if name == "__class__":
        return kind_of(owner)
    member = owner.kind.find(name) if isinstance(owner.kind, ClassValue) and "*made" in owner.fields else MISSING
    return rank.symbol("field", owner, name) if member is MISSING else _member(node, owner, member)


def _member(node: ir.Expression, owner: Raised, member: Value) -> Value:
    """A member of the class of an exception."""
    if isinstance(member, Descriptor) and member.kind in ("property", "cached"):
        raise NeedsCall(node, member.function, (owner,))
    if isinstance(member, Descriptor) and member.kind == "class":
        return BoundMethod(member.function, owner.kind)
    return bind(member, owner)


def _of_instance(rank: Rank, node: ir.Expression, owner: Instance, name: str) -> Value:
    if owner.cls.find("__getattribute__") is not MISSING:
        raise Cut("a class that decides how attributes are read")
    member = owner.cls.find(name)
    if isinstance(member, Descriptor) and member.kind in ("property", "cached"):
        if member.kind == "cached" and name in owner.fields:
            return owner.fields[name]
        need = NeedsCall(node, member.function, (owner,))
        need.keep = (owner, name) if member.kind == "cached" else None
        raise need
    reader = special(member, "__get__")
    if reader is not MISSING and (name not in owner.fields or special(member, "__set__") is not MISSING):
        raise NeedsCall(node, reader, (member, owner, owner.cls))
    if name in owner.fields:
        return owner.fields[name]
    if member is not MISSING:
        return bind(member, owner)
    if name in ("__class__", "__dict__"):
        return owner.cls if name == "__class__" else owner.fields
    if open_tables.is_open(owner.fields):
        return rank.symbol("item", owner.fields, name)
    fallback = owner.cls.find("__getattr__")
    if fallback is not MISSING:
        raise NeedsCall(node, fallback, (owner, name))
    if derived.has_base(owner):
        return derived.base_of(owner) if name == "data" else read(rank, node, derived.base_of(owner), name)
    libraries = owner.cls.library_bases()
    if libraries:
        return _inherited(rank, owner, name, libraries)
    if owner.fields.get("*unknown") is not None or hasattr(object, name) or name in ("__module__", "__weakref__"):
        return rank.symbol("field", owner.cls, owner.serial, name)
    raise fail("AttributeError", name)


def special(member: Value, name: str) -> Value:
    """A special method of a member that is an object of the project, `MISSING` if it has none."""
    return member.cls.find(name) if isinstance(member, Instance) else MISSING


def setter(owner: Value, name: str, value: Value) -> tuple[Value, tuple[Value, ...]] | None:
    """The function that an assignment to a field calls, and its arguments; None if it just binds the value."""
    decides = owner.cls.find("__setattr__") if isinstance(owner, Instance) else MISSING
    if decides is not MISSING:
        return decides, (owner, name, value)
    return plain_setter(owner, name, value)


def plain_setter(owner: Value, name: str, value: Value) -> tuple[Value, tuple[Value, ...]] | None:
    """The same by `object.__setattr__`: what a property or descriptor calls."""
    if isinstance(owner, Instance) and owner.cls.is_frozen:
        raise fail("FrozenInstanceError", name)
    member = owner.cls.find(name) if isinstance(owner, Instance) else MISSING
    if isinstance(member, Descriptor) and member.kind == "property" and member.setter is not None:
        return member.setter, (owner, value)
    writer = special(member, "__set__")
    return (writer, (member, owner, value)) if writer is not MISSING else None


def _inherited(rank: Rank, owner: Instance, name: str, libraries: list[Value]) -> Value:
    """A member that only a base class of a library can have."""
    if name == "start" and any(isinstance(base, Library) and base.dotted in _THREADS for base in libraries):
        raise Cut("a thread of the program")
    plain = {"object", "abc.ABC", "typing.Protocol", "typing.Generic", "builtins.object"}
    if all(isinstance(base, Library) and base.dotted in plain for base in libraries) and not hasattr(object, name):
        raise fail("AttributeError", name)
    return rank.symbol("inherited", owner.cls, name)


def bind(member: Value, owner: Value) -> Value:
    """A member of a class, read from an object."""
    if isinstance(member, FunctionValue) or getattr(member, "is_function", False):
        return BoundMethod(member, owner)
    if isinstance(member, Partial) and member.is_method:
        return Partial(member.function, (owner, *member.args), member.keywords)
    if isinstance(member, Descriptor):
        if member.kind == "static":
            return member.function
        if member.kind == "class":
            return BoundMethod(member.function, owner.cls)
    return member


def _of_class(rank: Rank, owner: ClassValue, name: str) -> Value:
    member = owner.find(name)
    if isinstance(member, Descriptor):
        return BoundMethod(member.function, owner) if member.kind == "class" else member.function
    if member is not MISSING:
        return member
    if name in ("__name__", "__qualname__"):
        return owner.ir.name
    if owner.library_bases() or hasattr(type, name) or owner.has_metaclass:
        return rank.symbol("member", owner, name)
    raise fail("AttributeError", name)


def _of_super(rank: Rank, node: ir.Expression, owner: Descriptor, name: str) -> Value:
    instance, after = owner.function
    if isinstance(instance, Raised) and isinstance(instance.kind, ClassValue):
        member = instance.kind.find(name, after)
        if member is MISSING:
            return BoundMethod(Library(f"builtins.BaseException.{name}"), instance)
        return _member(node, instance, member)
    cls = instance.cls if isinstance(instance, Instance) else instance
    member = cls.find(name, after)
    if member is MISSING and derived.has_base(instance) and name != "__init__":
        return read(rank, node, derived.base_of(instance), name)
    if member is MISSING:
        if name in ("__init__", "__new__", "__init_subclass__", "__setattr__", "__enter__", "__exit__"):
            found = Library("builtins.object." + name)
            return BoundMethod(found, instance) if name == "__setattr__" else found
        return rank.symbol("inherited", cls, name)
    if isinstance(member, Descriptor) and member.kind in ("property", "cached"):
        raise NeedsCall(node, member.function, (instance,))
    if name == "__new__":
        return member
    return bind(member, instance) if isinstance(instance, Instance) else BoundMethod(member, cls)


def write(rank: Rank, owner: Value, name: str, value: Value) -> None:
    """``owner.name = value``."""
    if isinstance(owner, Instance):
        member = owner.cls.find(name)
        if isinstance(member, Descriptor) and member.kind == "property":
            raise Cut("a property that is assigned")
        if name == "__dict__":
            owner.fields = namespaces.replace(rank, owner.fields, value)
        else:
            owner.fields[name] = value
    elif isinstance(owner, ClassValue):
        owner.members[name] = value
    elif isinstance(owner, (FunctionValue, Raised)):
        owner.fields[name] = value
    elif isinstance(owner, ModuleValue):
        owner.scope.names[name] = value
    elif isinstance(owner, Modelled):
        owner.set_attribute(rank, name, value)
    elif isinstance(owner, Array):
        views.set_attribute(rank, owner, name, value)
    elif isinstance(owner, Library):
        rank.state.setdefault("assigned", {})[rank.canonical(f"{owner.dotted}.{name}")] = value
    else:
        release((value,))
    # Other owners are symbols or belong to libraries: what was written there is not read back.
