"""Collectives of two groups: whether their roots fit, and what each rank gets from the other group.

In the group of the root one rank passes `MPI.ROOT` and the others `MPI.PROC_NULL`; the ranks of the other group pass
the number of the root (MPI 4.1, section 6.2.3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import agreed, array_changes, results
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import PROC_NULL, Communicator
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.values import Cut, Library, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

Present = dict[int, Collective]

_ROOTED = frozenset({"bcast", "gather", "scatter", "reduce", "gatherv", "scatterv"})


def check(present: Present) -> Fault | None:
    """Roots that do not fit: two in one group, none at all, or one in each group."""
    numbers = sorted(present)
    if _plain(present[numbers[0]]) not in _ROOTED or any(_root(present[number]) is None for number in numbers):
        return None
    roots = [number for number in numbers if _root(present[number]) == "ROOT"]
    if not roots:
        return _fault(present, numbers[0], numbers[-1], "no rank passes `MPI.ROOT`")
    first, members = roots[0], present[roots[0]].communicator.members or ()
    for number in numbers:
        given = _root(present[number])
        if number in members and number != first and given != PROC_NULL:
            detail = f"rank {first} is the root, and rank {number} of its group does not pass `MPI.PROC_NULL`"
            return _fault(present, first, number, detail)
        if number not in members and given != members.index(first):
            detail = f"rank {first} is the root, and rank {number} of the other group does not pass its number there"
            return _fault(present, first, number, detail)
    return None


def _fault(present: Present, number: int, other: int, detail: str) -> Fault:
    return Fault(Kind.GROUP_ROOT, present[number], number, other, present[other], detail)


def _root(event: Collective) -> Value:
    """The root that a rank passes: ROOT, a number, or None if it is not known."""
    if isinstance(event.root, Library):
        return event.root.dotted.rpartition(".")[2]
    return event.root if isinstance(event.root, int) else None


def _plain(event: Collective) -> str:
    return event.kind.lower().removeprefix("i") if event.kind[0] == "I" else event.kind.lower()


def returned(world: World, present: Present) -> dict[int, Value]:
    """What the call returns on each rank; receive buffers are filled."""
    event = next(iter(present.values()))
    compute = event.extra.get("compute")
    if compute is not None:
        computed: dict[int, Value] = compute(world, present)
        return computed
    if event.kind[0].isupper():
        return _filled(world, present)
    handler = _RESULTS.get(_plain(event))
    return {number: handler(world, present, number) if handler is not None else None for number in present}


def _filled(world: World, present: Present) -> dict[int, Value]:
    """Buffers, whose contents are not followed between groups."""
    for number, event in present.items():
        symbol = agreed.shared(world, present, event.communicator.members)
        for array in (event.extra.get("receive"), event.extra.get("buffer")):
            if isinstance(array, Array) and _root(event) != "ROOT":
                array_changes.fill(world.processes[number].rank, array, None, symbol)
    return dict.fromkeys(present)


def _others(present: Present, number: int) -> list[Collective]:
    """The calls of the other group, in its order."""
    members = present[number].communicator.members
    remote = next(one.communicator.members or () for one in present.values() if one.communicator.members != members)
    return [present[other] for other in remote]


def _sender(present: Present, number: int) -> Collective | None:
    """The call of the root, for a rank of the other group."""
    return next((one for one in _others(present, number) if _root(one) == "ROOT"), None)


def _bcast(world: World, present: Present, number: int) -> Value:
    root = _sender(present, number)
    return copied(root.payload) if root is not None else present[number].payload


def _scatter(world: World, present: Present, number: int) -> Value:
    root, at = _sender(present, number), present[number].communicator.number or 0
    if root is None:
        return None
    if isinstance(root.payload, (list, tuple)) and at < len(root.payload):
        return copied(root.payload[at])
    return agreed.shared(world, present, number)


def _gather(world: World, present: Present, number: int) -> Value:
    return _allgather(world, present, number) if _root(present[number]) == "ROOT" else None


def _reduce(world: World, present: Present, number: int) -> Value:
    return _allreduce(world, present, number) if _root(present[number]) == "ROOT" else None


def _allgather(world: World, present: Present, number: int) -> Value:
    return [copied(one.payload) for one in _others(present, number)]


def _allreduce(world: World, present: Present, number: int) -> Value:
    others = _others(present, number)
    members = others[0].communicator.members or ()
    return results.reduced(world, {one: present[one] for one in members}, [one.payload for one in others])


def _alltoall(world: World, present: Present, number: int) -> Value:
    at = present[number].communicator.number or 0
    parts = [one.payload for one in _others(present, number)]
    if all(isinstance(part, (list, tuple)) and at < len(part) for part in parts):
        return [copied(part[at]) for part in parts]
    return agreed.shared(world, present, number)


_RESULTS: dict[str, Callable[[Any, Present, int], Value]] = {
    "bcast": _bcast,
    "scatter": _scatter,
    "gather": _gather,
    "reduce": _reduce,
    "allgather": _allgather,
    "allreduce": _allreduce,
    "alltoall": _alltoall,
}


def merged(world: World, present: Present) -> dict[int, Value]:
    """One communicator of both groups: that with ``high`` is the second one; the payload is ``high``."""
    high: dict[tuple[int, ...], bool] = {}
    for event in present.values():
        members = event.communicator.members or ()
        if not isinstance(event.payload, (bool, int)) or high.setdefault(members, bool(event.payload)) is not bool(
            event.payload
        ):
            raise Cut("groups that are merged in an unknown order")
    first, second = sorted(high, key=lambda members: (high[members], members))
    everybody = first + second
    slot = next(iter(present.values())).extra["slot"]
    identity = world.communicator(slot, "merged")
    return {
        number: Communicator(identity, "the merged communicator", everybody, everybody.index(number))
        for number in present
    }
