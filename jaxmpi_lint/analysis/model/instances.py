"""Objects in terms of their users: the communicators of their fields are those passed to the constructor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.communicator_substitution import Groups, parameter_groups
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNIFORM,
    UNKNOWN,
    Communicator,
    FunctionReference,
    Instance,
    RankOf,
    ResultOf,
    SizeOf,
    Uniformity,
    Value,
)
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_EITHER = " | "


class Objects:
    """Facts about the objects that the program creates, by the keys of their instances."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._given: dict[str, Groups] = {}
        self._arguments: dict[str, dict[str, Value]] = {}
        self._runs: dict[tuple[str, str, Instance], Function] = {}

    def created(self, made: Instance, constructor: FunctionReference, arguments: dict[str, Value]) -> None:
        """Keep the arguments of a constructor."""
        self._given[made.key] = parameter_groups(constructor.path, constructor.qualname, arguments)
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
        entity = value.entity
        if isinstance(entity, Communicator):
            entity = self.seen_from_outside(entity, owner)
        elif isinstance(entity, RankOf):
            entity = RankOf(self.seen_from_outside(entity.communicator, owner))
        elif isinstance(entity, SizeOf):
            entity = SizeOf(self.seen_from_outside(entity.communicator, owner))
        elif isinstance(entity, ResultOf) and entity.communicator is not None:
            entity = replace(entity, communicator=self.seen_from_outside(entity.communicator, owner))
        return replace(
            value,
            entity=entity,
            content=self._uniformity(value.content, owner),
            structure=self._uniformity(value.structure, owner),
            noneness=self._uniformity(value.noneness, owner),
        )

    def seen_from_outside(self, communicator: Communicator, owner: Instance) -> Communicator:
        """A communicator of the object in terms of its user."""
        given = self._given.get(owner.key, {})
        if communicator.context in given:
            return given[communicator.context]
        return replace(
            communicator,
            context=self._own_name(communicator.context, owner),
            groups=self._names(communicator.groups, owner),
            ancestors=self._names(communicator.ancestors, owner),
        )

    def _uniformity(self, uniformity: Uniformity, owner: Instance) -> Uniformity:
        if not uniformity.groups:
            return uniformity
        given = self._given.get(owner.key, {})
        names = (
            given[name].rank_groups() if name in given else {self._own_name(name, owner)} for name in uniformity.groups
        )
        return replace(uniformity, groups=frozenset().union(*names))

    def _names(self, names: frozenset[str], owner: Instance) -> frozenset[str]:
        given = self._given.get(owner.key, {})
        return frozenset().union(*(given[n].groups if n in given else {self._own_name(n, owner)} for n in names))

    def _own_name(self, name: str, owner: Instance) -> str:
        parts = name.split(_EITHER)
        return _EITHER.join(f"{part}#{owner.key}" if self._belongs(part, owner) else part for part in parts)

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
