"""One-sided communication: windows, epochs, and the operations in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, buffers, dtypes, exposures, lost_updates
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import Communicator, Group, Request
from jaxmpi_lint.interpreter.events import Access, Collective, Event
from jaxmpi_lint.interpreter.libraries.mpi_arguments import PROC_NULL, Buffer, buffer
from jaxmpi_lint.interpreter.libraries.mpi_collectives import enter
from jaxmpi_lint.interpreter.libraries.mpi_communicators import itself
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.requests import track
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, Library, Running, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind
from jaxmpi_lint.interpreter.windows import ANY, Window

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


def _make(name: str, position: int) -> Handler:
    """A constructor; ``position`` is that of the communicator."""

    def call(rank: Rank, arguments: Arguments) -> Running:
        communicator = arguments.get(position, "comm")
        communicator = itself(rank) if communicator is None else communicator
        if not isinstance(communicator, Communicator):
            raise Cut("an unknown communicator")
        event = Collective(rank.place(rank.state["span"]), name, communicator, f"Win.{name}")
        event.extra["memory"] = buffer(arguments.get(0, "memory")).array if name == "Create" else None
        unit = arguments.get(1, "disp_unit", 1)
        event.extra["unit"] = unit if isinstance(unit, int) and name != "Create_dynamic" else None
        event.extra["compute"] = _made
        return (yield from enter(rank, event))

    return call


def _made(world: World, present: dict[int, Collective]) -> dict[int, Value]:
    members = tuple(present)
    found: dict[int, Value] = {}
    for number, event in present.items():
        identity = world.communicator(event.extra["slot"], "window")
        communicator = Communicator(identity, "the window", members, members.index(number))
        window = Window(communicator, event.extra["memory"], event.extra["unit"])
        world.windows.setdefault(identity, {})[number] = window
        if isinstance(window.memory, Array):
            exposures.expose(window, window.memory)
        found[number] = window
    return found


def _event(rank: Rank, name: str) -> Event:
    return Access(rank.place(rank.state["span"]), name)


def _report(rank: Rank, event: Event, detail: str) -> None:
    rank.world.report(Fault(Kind.EPOCH, event, rank.number, detail=detail))


# --- synchronization ---


def _fence(rank: Rank, window: Window, arguments: Arguments) -> Running:
    assertion = arguments.get(0, "assertion", 0)
    event = Collective(rank.place(rank.state["span"]), "Fence", window.communicator, "Win.Fence")
    window.end_uses()
    yield from enter(rank, event)
    window.fences += 1
    word = assertion.dotted.rpartition(".")[2] if isinstance(assertion, Library) else ""
    if word == "MODE_NOSUCCEED":
        window.is_fenced = False
    else:
        window.is_fenced = True if word or assertion == 0 else None


def _target(value: Value) -> int | None:
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _lock(rank: Rank, window: Window, arguments: Arguments) -> Value:
    given = arguments.get(0, "rank")
    if isinstance(given, Library):
        given = arguments.get(1)
    target, event = _target(given), _event(rank, "Lock")
    if target is None:
        window.is_vague = True
    elif target in window.locks:
        _report(rank, event, f"this Lock takes the lock of rank {target} although it is held")
    elif target != PROC_NULL:
        window.locks[target] = event
        if any(isinstance(one, Library) and one.dotted.endswith("LOCK_SHARED") for one in arguments.every()):
            window.shared.add(target)
    return None


def _unlock(rank: Rank, window: Window, arguments: Arguments) -> Value:
    target = _target(arguments.get(0, "rank"))
    window.end_uses(target)
    window.unlocked(target)
    if target is None:
        window.is_vague = True
        window.locks.clear()
    elif window.locks.pop(target, None) is None and target != PROC_NULL and not window.is_vague:
        _report(rank, _event(rank, "Unlock"), f"this Unlock gives back the lock of rank {target}, which is not held")
    return None


def _lock_all(rank: Rank, window: Window, arguments: Arguments) -> Value:
    event = _event(rank, "Lock_all")
    if ANY in window.locks:
        _report(rank, event, "this Lock_all takes locks that are held")
    window.locks[ANY] = event
    return None


def _unlock_all(rank: Rank, window: Window, arguments: Arguments) -> Value:
    window.end_uses()
    window.unlocked()
    if window.locks.pop(ANY, None) is None and not window.is_vague:
        _report(rank, _event(rank, "Unlock_all"), "this Unlock_all has no Lock_all")
    return None


def _flush(name: str) -> Handler:
    def call(rank: Rank, window: Window, arguments: Arguments) -> Value:
        target = None if name.endswith("all") else _target(arguments.get(0, "rank"))
        window.end_uses(target)
        is_held = bool(window.locks) if target is None else target in window.locks or ANY in window.locks
        if not is_held and not window.is_vague and target != PROC_NULL:
            _report(rank, _event(rank, name), f"this {name} is outside of an epoch that a lock opens")
        return None

    return call


def _start(rank: Rank, window: Window, arguments: Arguments) -> Value:
    window.started = _event(rank, "Start")
    return None


def _complete(rank: Rank, window: Window, arguments: Arguments) -> Value:
    window.end_uses()
    if window.started is None and not window.is_vague:
        _report(rank, _event(rank, "Complete"), "this Complete has no Start")
    window.started = None
    return None


def _post(rank: Rank, window: Window, arguments: Arguments) -> Value:
    window.posted = _event(rank, "Post")
    return None


def _wait(rank: Rank, window: Window, arguments: Arguments) -> Value:
    if window.posted is None and not window.is_vague:
        _report(rank, _event(rank, "Wait"), "this Wait has no Post")
    window.posted = None
    if isinstance(window.memory, Array):  # whether the origins have changed it is not followed
        array_changes.forget(rank, window.memory, "exposed", window.communicator, is_perhaps=True)
    return True


def _free(rank: Rank, window: Window, arguments: Arguments) -> Running:
    event = Collective(rank.place(rank.state["span"]), "Free", window.communicator, "Win.Free")
    for lock in window.locks.values():
        _report(rank, lock, f"this {lock.label} is not unlocked before Free ends the window")
    window.end_uses()
    yield from enter(rank, event)
    window.is_freed = True


# --- operations ---

_OPERATIONS: dict[str, tuple[tuple[int, str, bool], ...]] = {
    "Put": ((0, "origin", False),),
    "Get": ((0, "origin", True),),
    "Accumulate": ((0, "origin", False),),
    "Get_accumulate": ((0, "origin", False), (1, "result", True)),
    "Fetch_and_op": ((0, "origin", False), (1, "result", True)),
    "Compare_and_swap": ((0, "origin", False), (1, "compare", False), (2, "result", True)),
}
"""Buffers by position and name; true for those that the operation fills."""


def _operation(name: str) -> Handler:
    plain = name[1:].capitalize() if name[0] == "R" else name
    given = _OPERATIONS[plain]
    where = given[-1][0] + 1

    def call(rank: Rank, window: Window, arguments: Arguments) -> Value:
        event = _event(rank, name)
        target = _target(
            arguments.get(where, "target_rank", 0 if len(given) == 2 and plain == "Fetch_and_op" else None)
        )
        if target != PROC_NULL and not window.may_access(target):
            _report(rank, event, f"this {name} is outside of an epoch")
        origins = [(buffer(arguments.get(at, word)), writes) for at, word, writes in given]
        if target != PROC_NULL:
            place = arguments.get(where + 1, "target", arguments.get(-1, "target_disp"))
            _check_unit(rank, window, event, target, place, origins[0][0])
            exposures.change(rank, window, plain, event, target)
            lost_updates.note(rank, window, plain, event, target, arguments.get(where + 1, "target"))
            _transfer(rank, window, plain, target, event, origins)
        if name[0] == "R":
            return track(rank, Request(event, is_done=True))
        return None

    return call


def _check_unit(rank: Rank, window: Window, event: Event, number: int | None, target: Value, origin: Buffer) -> None:
    """Report a displacement in elements on a window whose unit is one byte."""
    place = target[0] if isinstance(target, (list, tuple)) and target else target
    size = dtypes.SIZES.get(origin.dtype or "", 1)
    if size == 1 or not _is_between(place, size) or _units(rank.world, window, number) != {1}:
        return
    detail = (
        f"the displacements of the window are bytes, and those of this {event.label} count elements of {size} bytes"
    )
    rank.world.report(Fault(Kind.UNIT, event, rank.number, detail=detail))


def _units(world: World, window: Window, target: int | None) -> set[int | None]:
    """The units of the target, which decides what a displacement counts, or of all ranks if it is not known."""
    ranks = world.windows.get(window.communicator.identity, {}).values()
    return {one.unit for one in ranks if target is None or one.communicator.number == target}


def _is_between(place: Value, size: int) -> bool:
    """Whether a displacement in bytes may lie between two elements: it counts elements, and is not multiplied."""
    if isinstance(place, int):
        return place % size != 0
    if not isinstance(place, Symbol):
        return False
    words = place.words(2)
    return not place.is_guess and not words.isdisjoint(_WITHIN_BLOCK) and words.isdisjoint(_SCALING)


_WITHIN_BLOCK = frozenset({"divmod", "%", "mod", "remainder"})
"""Operations that give the position of an element in the block of a rank; other displacements may be in bytes."""

_SCALING = frozenset({"*", "<<", "multiply", "itemsize", "nbytes"})


def _transfer(
    rank: Rank, window: Window, name: str, target: int | None, event: Event, origins: list[tuple[Buffer, bool]]
) -> None:
    for origin, writes in origins:
        if origin.array is not None and writes:
            array_changes.fill(rank, origin.array, None, _unknown(rank, window, name))
        used = origin.used()
        if used is None:
            continue
        use = buffers.begin(rank, used, writes, event, Kind.EPOCH)
        use.target = target
        window.uses.append(use)
    if name != "Get":
        _change(rank, window, target)


def _unknown(rank: Rank, window: Window, name: str) -> Symbol:
    """What the memory of a window contains: whether ranks find the same there is not known, so it counts as a guess."""
    span = rank.state["span"]
    path = rank.frames[-1].scope.module.ir.path
    serial = rank.serial(("window", window.communicator.identity, path, span))
    return rank.symbol("window", window, name, path, span, serial, is_guess=True)


def _change(rank: Rank, window: Window, target: int | None) -> None:
    """The memory of the target, or of any rank, is not known any more."""
    for number, other in rank.world.windows.get(window.communicator.identity, {}).items():
        index = other.communicator.number
        if isinstance(other.memory, Array) and (target is None or index == target):
            changed = rank.world.processes[number].rank
            array_changes.forget(changed, other.memory, _unknown(rank, window, "memory"), is_perhaps=True)


def _shared_query(rank: Rank, window: Window, arguments: Arguments) -> Value:
    return rank.symbol("shared memory", window, arguments.get(0, "rank")), rank.symbol("unit", window, kind="int")


def _memory(rank: Rank, window: Window, arguments: Arguments) -> Value:
    return window.attribute(rank, "memory")


def _nothing(rank: Rank, window: Window, arguments: Arguments) -> Value:
    return None


METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "window": {
        **{name: _operation(name) for name in (*_OPERATIONS, "Rput", "Rget", "Raccumulate", "Rget_accumulate")},
        **{name: _flush(name) for name in ("Flush", "Flush_all", "Flush_local", "Flush_local_all")},
        **dict.fromkeys(("Sync", "Attach", "Detach", "Set_name", "Set_info", "Set_errhandler"), _nothing),
        "Fence": _fence,
        "Lock": _lock,
        "Unlock": _unlock,
        "Lock_all": _lock_all,
        "Unlock_all": _unlock_all,
        "Start": _start,
        "Complete": _complete,
        "Post": _post,
        "Wait": _wait,
        "Free": _free,
        "Shared_query": _shared_query,
        "tomemory": _memory,
        "Get_group": lambda rank, window, arguments: Group(window.communicator.members or ()),
    },
}
FUNCTIONS: dict[str, Handler] = {
    "mpi4py.MPI.Win.Create": _make("Create", 3),
    "mpi4py.MPI.Win.Allocate": _make("Allocate", 3),
    "mpi4py.MPI.Win.Allocate_shared": _make("Allocate_shared", 3),
    "mpi4py.MPI.Win.Create_dynamic": _make("Create_dynamic", 1),
}
