"""Collectives in a conditional whose branch is provably not the same on all devices that take part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.programs import hlo, signature
from jaxmpi_lint.runtime.xla.programs.places import Places
from jaxmpi_lint.runtime.xla.programs.scalars import Scalars
from jaxmpi_lint.runtime.xla.programs.signature import Collective

LARGEST = 1024  # devices of a program that is examined
_CONDITIONAL = re.compile(r" conditional\(")
_PREDICATE = re.compile(r"\s*(?:[^\s%]+ )?%([\w.\-]+)")
_GROUP = re.compile(r"\{([\d,]*)\}")
_AMONG_GROUPS = ("all-gather", "all-reduce", "all-to-all", "reduce-scatter")
_BOUNDED = re.compile(r"while, \d+ iterations")


@dataclass(frozen=True, slots=True)
class Divergence:
    """A conditional in which devices of one group execute different collectives."""

    conditional: Site  # its line
    collective: Collective
    branch: int  # that has the collective
    branches: Mapping[int, int]  # the branch of each device of the group


def divergence(hlo_text: str) -> Divergence | None:
    """The first such conditional of an optimised HLO text that is executed in any case."""
    if _CONDITIONAL.search(hlo_text) is None:
        return None
    places = Places(hlo_text)
    for module in hlo.modules(hlo_text):
        if 1 < module.devices <= LARGEST and not _is_grid(module):
            for line in module.computations.get(module.entry, ()):
                step = hlo.instruction(line) if _CONDITIONAL.search(line) else None
                if step is not None and step.opcode == "conditional" and (found := _examined(module, step, places)):
                    return found
    return None


def _is_grid(module: hlo.Module) -> bool:
    """Whether devices have two numbers, of which only one is in a group."""
    counts = [int(count) for count in re.findall(r"\b(?:replica_count|num_partitions)=(\d+)", module.head)]
    return sum(count > 1 for count in counts) > 1


def _examined(module: hlo.Module, step: hlo.Instruction, places: Places) -> Divergence | None:
    branches = signature.branches_of(step)
    predicate = _PREDICATE.match(step.rest)
    if predicate is None or not branches:
        return None
    taken: dict[int, int] = {}
    for device in range(module.devices):
        value = Scalars(module, device).value(module.entry, predicate[1])
        if not isinstance(value, int):
            return None
        taken[device] = _branch(value, len(branches), by_index="branch_computations=" in step.rest)
    if len(set(taken.values())) < 2:
        return None
    inside = [signature.collectives_in(module, branch, places) for branch in branches]
    if any(not _BOUNDED.fullmatch(where) for each in inside for one in each for where in one.within):
        return None  # a loop or a conditional in the branch, which may not be executed
    return _different(taken, inside, module.devices, places.of(step))


def _branch(value: int, count: int, by_index: bool) -> int:
    if not by_index:  # the computation of true is the first
        return 0 if value else 1
    return value if 0 <= value < count else count - 1


def _different(
    taken: Mapping[int, int], inside: Sequence[Sequence[Collective]], devices: int, where: Site
) -> Divergence | None:
    for device, branch in taken.items():
        for one in inside[branch]:
            group = next((group for group in _groups(one, devices) if device in group), ())
            mine = _sequence(inside[branch], group, devices)
            if any(_sequence(inside[taken[other]], group, devices) != mine for other in group):
                return Divergence(where, one, branch, {other: taken[other] for other in group})
    return None


def _sequence(found: Sequence[Collective], group: Sequence[int], devices: int) -> list[tuple[object, ...]]:
    """The collectives on a group, in order."""
    return [
        (one.kind, one.reduction, one.shapes, one.within)
        for one in found
        if one.kind in _AMONG_GROUPS and tuple(group) in _groups(one, devices)
    ]


def _groups(one: Collective, devices: int) -> list[tuple[int, ...]]:
    """The groups of a collective with more than one device; none if they cannot be parsed."""
    text = one.groups.replace(" ", "")
    if one.kind not in _AMONG_GROUPS or _GROUP.sub("", text).strip(","):
        return []
    listed = [tuple(int(number) for number in group.split(",") if number) for group in _GROUP.findall(text)]
    return [group for group in listed if len(group) > 1 and max(group) < devices]
