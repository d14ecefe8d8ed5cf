"""A callee's communicators in the caller's terms."""

from __future__ import annotations

from dataclasses import replace

from jaxmpi_lint.analysis.lattice.lattice import Communicator, RankOf, ResultOf, SizeOf, Uniformity, Value

Groups = dict[str, Communicator]


def parameter_groups(path: str, qualname: str, arguments: dict[str, Value]) -> Groups:
    """The communicators passed by a call, by their context in the callee."""
    return {
        f"{path}:{qualname}:{name}": value.entity
        for name, value in arguments.items()
        if isinstance(value.entity, Communicator)
    }


def substitute(value: Value, groups: Groups) -> Value:
    """A value with formal communicators replaced by actual ones."""
    if not groups:
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
    elements = value.elements
    return Value(
        entity,
        _uniformity(value.content, groups),
        _uniformity(value.structure, groups),
        _uniformity(value.noneness, groups),
        tuple(substitute(element, groups) for element in elements) if elements is not None else None,
    )


def substitute_communicator(communicator: Communicator, groups: Groups) -> Communicator:
    """The caller's communicator for a formal one, or for one derived from it."""
    actual = groups.get(communicator.context)
    if actual is not None:
        return actual
    return replace(
        communicator, groups=_names(communicator.groups, groups), ancestors=_names(communicator.ancestors, groups)
    )


def _names(names: frozenset[str], groups: Groups) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        found |= groups[name].groups if name in groups else {name}
    return frozenset(found)


def _uniformity(uniformity: Uniformity, groups: Groups) -> Uniformity:
    if not uniformity.groups:
        return uniformity
    found: set[str] = set()
    for name in uniformity.groups:
        found |= groups[name].rank_groups() if name in groups else {name}
    return replace(uniformity, groups=frozenset(found))
