"""A callee's communicators in the caller's terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from jaxmpi_lint.analysis.lattice.lattice import (
    EITHER,
    WORLD,
    Communicator,
    Entity,
    Instance,
    RankOf,
    ResultOf,
    SizeOf,
    Uniformity,
    Value,
    either_group,
)
from jaxmpi_lint.analysis.lattice.value_queries import is_none

Part = Callable[[str, str], Communicator | None]
"""The communicator that belongs to an argument, given the parameter's context and the chain of attributes."""


def _same(name: Any) -> Any:
    return name


@dataclass(frozen=True, slots=True)
class Groups:
    """The communicators passed by a call, by their context in the callee.

    ``part`` finds those that belong to an argument, such as ``p.comm`` of an argument ``p``. ``absent`` are the
    parameters that receive None: of two communicators, the callee then has the other one.
    ``renamed`` are the contexts that the callee has itself, ``objects`` the objects in terms of the caller.
    """

    known: Mapping[str, Communicator] = field(default_factory=dict)
    part: Part | None = None
    absent: frozenset[str] = frozenset()
    renamed: Callable[[str], str] = _same
    objects: Callable[[Instance], Entity] = _same

    def __bool__(self) -> bool:
        return self is not NO_GROUPS

    def get(self, name: str) -> Communicator | None:
        """The caller's communicator for a name in the callee; None if the call does not pass it.

        A predefined communicator is not None, so the callee does not replace it: not by ``if comm is None: ...``. One
        that a call creates may be a true alternative, as in ``node, leaders = comm, alone``.
        """
        possible = self._possible(name)
        name = possible[0] if len(possible) == 1 else name
        found = self.known.get(name)
        return self._part_of(name, self.part) if found is None and self.part is not None else found

    def context(self, name: str) -> str:
        """The caller's context for one in the callee."""
        found = ((self.get(one), one) for one in self._possible(name))
        names = {actual.context if actual is not None else self.renamed(one) for actual, one in found}
        return EITHER.join(sorted(names))

    def group(self, name: str, by_rank: bool = False) -> frozenset[str]:
        """The caller's group for one in the callee; ``by_rank`` adds those that a rank in it divides."""
        possible = self._possible(name)
        if len(possible) == 1:
            actual = self.get(possible[0])
            if actual is None:
                return frozenset({self.renamed(possible[0])})
            return actual.rank_groups() if by_rank else actual.groups
        return reduce(either_group, map(self.group, possible))

    def _possible(self, name: str) -> list[str]:
        """The contexts that one of several may be."""
        if EITHER not in name:
            return [name]
        names = name.split(EITHER)
        are_created = [one for one in names if "@" in one]
        given = [one for one in names if one in self.known and _is_predefined(self.known[one]) and not are_created]
        return given[:1] or [one for one in names if one not in self.absent] or names

    def _part_of(self, name: str, part: Part) -> Communicator | None:
        own, _, holder = name.rpartition("#")
        if own:
            return part(holder, f"#{own}")
        start = name.rfind(":") + 1
        parameter, dot, chain = name[start:].partition(".")
        return part(name[:start] + parameter, chain) if dot else None


def _is_predefined(communicator: Communicator) -> bool:
    return communicator.is_self or communicator.context == WORLD


NO_GROUPS = Groups()


def parameter_groups(path: str, qualname: str, arguments: Mapping[str, Value], part: Part | None = None) -> Groups:
    """The communicators passed by a call, by their context in the callee."""
    known: dict[str, Communicator] = {}
    absent: list[str] = []
    for name, value in arguments.items():
        if isinstance(value.entity, Communicator):
            known[f"{path}:{qualname}:{name}"] = value.entity
        elif isinstance(value.entity, ResultOf) and value.entity.communicator is not None:
            known[f"{path}:{qualname}:{name}"] = value.entity.communicator
        elif is_none(value):
            absent.append(f"{path}:{qualname}:{name}")
    return Groups(known, part, frozenset(absent)) if known or absent or part is not None else NO_GROUPS


def substitute(value: Value, groups: Groups) -> Value:
    """A value with formal communicators replaced by actual ones."""
    if not groups or _is_of_nobody(value):
        return value
    entity = value.entity
    if isinstance(entity, Communicator):
        entity = substitute_communicator(entity, groups)
    elif isinstance(entity, RankOf):
        entity = RankOf(substitute_communicator(entity.communicator, groups))
    elif isinstance(entity, SizeOf):
        entity = SizeOf(substitute_communicator(entity.communicator, groups))
    elif isinstance(entity, ResultOf) and entity.communicator is not None:
        entity = replace(entity, communicator=substitute_communicator(entity.communicator, groups))
    elif isinstance(entity, Instance):
        entity = groups.objects(entity)
    elements = value.elements
    return Value(
        entity,
        _uniformity(value.content, groups),
        _uniformity(value.structure, groups),
        _uniformity(value.noneness, groups),
        tuple(substitute(element, groups) for element in elements) if elements is not None else None,
    )


def _is_of_nobody(value: Value) -> bool:
    """Whether a value mentions neither communicators nor objects."""
    mentions = isinstance(value.entity, _MENTIONING) or value.elements is not None
    return not (mentions or value.content.groups or value.structure.groups or value.noneness.groups)


_MENTIONING = (Communicator, RankOf, SizeOf, ResultOf, Instance)


def substitute_communicator(communicator: Communicator, groups: Groups) -> Communicator:
    """The caller's communicator for a formal one, or for one derived from it."""
    actual = groups.get(communicator.context)
    if actual is not None:
        return actual
    context = groups.context(communicator.context)
    return replace(
        communicator,
        context=context,
        label="MPI.COMM_WORLD" if context == WORLD else communicator.label,
        groups=_names(communicator.groups, groups),
        ancestors=_names(communicator.ancestors, groups),
    )


def _names(names: frozenset[str], groups: Groups) -> frozenset[str]:
    return frozenset().union(*(groups.group(name) for name in names))


def _uniformity(uniformity: Uniformity, groups: Groups) -> Uniformity:
    if not uniformity.groups:
        return uniformity
    found = (groups.group(name, by_rank=True) for name in uniformity.groups)
    return replace(uniformity, groups=frozenset().union(*found))
