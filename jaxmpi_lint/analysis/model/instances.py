"""Objects in terms of their users: the communicators of their fields are those passed to the constructor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.communicator_substitution import (
    NO_GROUPS,
    Groups,
    Part,
    substitute,
    substitute_communicator,
)
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNIFORM,
    UNKNOWN,
    Communicator,
    Entity,
    Instance,
    Value,
)
from jaxmpi_lint.analysis.lattice.limits import NESTED_OBJECTS
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_INSIDE = "<"


class Objects:
    """Facts about the objects that the program creates, by the keys of their instances.

    Objects created in a loop share a key, so an object may be an argument of the constructor that makes it (``node =
    Node(node)``), or of that of one of its arguments. Requests that would repeat themselves end unknown.
    """

    def __init__(self, project: Program) -> None:
        self._project = project
        self._given: dict[str, Groups] = {}
        self._arguments: dict[str, Mapping[str, Value]] = {}
        self._runs: dict[tuple[str, str, Instance], Function] = {}
        self._sought: set[tuple[str, str, str]] = set()
        self._passing: set[str] = set()

    def created(self, made: Instance, groups: Groups, arguments: Mapping[str, Value]) -> None:
        """Keep the arguments of a constructor."""
        self._given[made.key] = groups
        self._arguments[made.key] = arguments

    def is_given_differing(self, owner: Instance) -> bool:
        """Whether the constructor received a value that differs between the processes."""
        return any(
            value.content.level is Level.RANK and not isinstance(value.entity, Communicator)
            for value in self._arguments.get(owner.key, {}).values()
        )

    def argument(self, owner: Instance, parameter: str) -> Value:
        """The argument that the constructor of an object received for a parameter."""
        return self._arguments.get(owner.key, {}).get(parameter, NOTHING)

    def inherited(self, method: Function, owner: Instance | None) -> Function | None:
        """An inherited method specialised for an object of a derived class; None for a method of its class itself."""
        own = method.self_name
        if owner is None or own is None or (owner.path, owner.qualname) == (method.module.path, method.ir.owner):
            return None
        key = *method.key, owner
        if key not in self._runs:
            value = Value(owner, UNKNOWN, UNKNOWN, UNIFORM)
            self._runs[key] = method.run_with({own: value})
        return self._runs[key]

    def field(self, value: Value, owner: Instance) -> Value:
        """A field of an object in terms of its user."""
        return substitute(value, self._outside(owner))

    def seen_from_outside(self, communicator: Communicator, owner: Instance) -> Communicator:
        """A communicator of the object in terms of its user."""
        return substitute_communicator(communicator, self._outside(owner))

    def passed_on(self, made: Instance, groups: Groups, place: str) -> Instance:
        """An object in terms of the caller of the function, or the user of the object, that created it.

        Beyond a number of levels, and for an object without communicators, it stays the same.
        """
        given = self._given.get(made.key)
        if not given or made.key.count(_INSIDE) >= NESTED_OBJECTS:
            return made
        outer = replace(made, key=f"{made.key}{_INSIDE}{place}")
        if outer.key in self._passing:
            return outer
        known = {name: substitute_communicator(one, groups) for name, one in given.known.items()}
        part = _passed_on(given.part, groups) if given.part is not None else None
        self._given[outer.key] = Groups(known, part, given.absent)
        first = not self._passing
        self._passing.add(outer.key)
        try:
            arguments = self._arguments.get(made.key, {})
            self._arguments[outer.key] = {name: substitute(value, groups) for name, value in arguments.items()}
        finally:
            if first:
                self._passing.clear()
        return outer

    def _outside(self, owner: Instance) -> Groups:
        given = self._given.get(owner.key, NO_GROUPS)

        def renamed(name: str) -> str:
            return f"{name}#{owner.key}" if self._belongs(name, owner) else name

        def seen(held: Instance) -> Entity:
            if held.key == "self":
                return owner if (held.path, held.qualname) == (owner.path, owner.qualname) else held
            return self._argument_for(held, owner) or self.passed_on(held, groups, owner.key)

        part = self._once(given.part, owner) if given.part is not None else None
        groups = Groups(given.known, part, given.absent, renamed, seen)
        return groups

    def _once(self, part: Part, owner: Instance) -> Part:
        """The parts of the arguments of an object; unknown where one is being sought already."""

        def found(holder: str, chain: str) -> Communicator | None:
            sought = owner.key, holder, chain
            if sought in self._sought:
                return None
            self._sought.add(sought)
            try:
                return part(holder, chain)
            finally:
                self._sought.discard(sought)

        return found

    def _argument_for(self, held: Instance, owner: Instance) -> Instance | None:
        """The object that the constructor received, for one that is known as its parameter."""
        start, _, parameter = held.key.rpartition(":")
        given = self._arguments.get(owner.key, {}).get(parameter, NOTHING).entity
        return given if start.endswith(".__init__") and isinstance(given, Instance) else None

    def _belongs(self, name: str, owner: Instance) -> bool:
        """Whether a communicator is separate for each object of a class: from parameters, fields, or its methods."""
        model = self._project.class_model(owner)
        for one in model.linearization if model is not None else ():
            path, qualname = one.module_model.ir.path, one.ir.qualname
            if name.startswith((f"{path}:{qualname}.", f"{path}:{qualname}:")):
                return True
            source, at, offset = name.rpartition("@")
            if at and source == path and offset.isdigit() and one.ir.span[0] <= int(offset) < one.ir.span[1]:
                return True
        return False


def _passed_on(part: Part, groups: Groups) -> Part:
    def found(holder: str, chain: str) -> Communicator | None:
        inner = part(holder, chain)
        return substitute_communicator(inner, groups) if inner is not None else None

    return found
