"""Results of collective operations: computed from what the ranks contribute, or a symbol that all share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import agreed, array_changes, arrays, contributed, joined_lists, operations
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

Present = dict[int, Collective]


def of(world: World, present: Present) -> dict[int, Value]:
    """What the call returns on each rank; receive buffers are filled."""
    event = next(iter(present.values()))
    kind = event.kind.lower().removeprefix("i") if event.kind[0] == "I" else event.kind
    handler = _RESULTS.get(kind) or _RESULTS.get(kind.lower())
    ordered = {number: present[number] for number in event.communicator.members or ()}
    if event.extra.get("compute") is not None:
        computed: dict[int, Value] = event.extra["compute"](world, ordered)
        return computed
    if handler is None:
        return dict.fromkeys(present)
    answers = handler(world, ordered)
    return _for_all(answers) if world.answers_all else answers


def _for_all(answers: dict[int, Value]) -> dict[int, Value]:
    """The result of the root on each rank."""
    known = next((value for value in answers.values() if value is not None), None)
    return {number: copied(known) if value is None else value for number, value in answers.items()}


def _bcast(world: World, present: Present) -> dict[int, Value]:
    events = list(present.values())
    root = events[0].root
    if not isinstance(root, int):
        if "buffer" in events[0].extra:
            _fill_all(world, present, None)
        return dict.fromkeys(present, agreed.shared(world, present))
    source = events[root]
    if "buffer" in source.extra:
        _fill_all(world, present, source)
        return dict.fromkeys(present)
    return {
        number: event.payload if index == root else copied(source.payload)
        for index, (number, event) in enumerate(present.items())
    }


def _fill_all(world: World, present: Present, root: Collective | None) -> None:
    """Copy the elements that the root sends to all buffers."""
    cells = None if root is None else contributed.cells_of(root, "buffer")
    source = None if root is None else root.extra["buffer"]
    symbol = agreed.shared(world, present)
    if isinstance(source, Array) and cells is None and source.store.symbol is not None:
        symbol = world.symbols.make("copy", source.store.symbol, source.selection)
    buffers = [contributed.target(one, "buffer") for one in present.values() if cells is None or one is not root]
    targets = [one for one in buffers if isinstance(one, Array)]
    if cells is None and any(one.cells is not None for one in targets):
        for one in targets:
            array_changes.expand(world.processes[0].rank, one)
    for target in targets:
        array_changes.fill(world.processes[0].rank, target, cells, symbol)


def _allgather(world: World, present: Present) -> dict[int, Value]:
    if _has_buffers(present):
        return _gathered_buffers(world, present, set(present))
    return {number: [copied(e.payload) for e in present.values()] for number in present}


def _gather(world: World, present: Present) -> dict[int, Value]:
    members = list(present)
    roots = _roots(present)
    if _has_buffers(present):
        return _gathered_buffers(world, present, {members[index] for index in roots})
    everything = [e.payload for e in present.values()]
    return {
        number: [copied(one) for one in everything] if index in roots else None for index, number in enumerate(members)
    }


def _roots(present: Present) -> set[int]:
    root = next(iter(present.values())).root
    return {root} if isinstance(root, int) else set()


def _has_buffers(present: Present) -> bool:
    return any("send" in event.extra or "receive" in event.extra for event in present.values())


def _gathered_buffers(world: World, present: Present, receivers: set[int]) -> dict[int, Value]:
    cells: list[Value] | None = []
    for event in present.values():
        part = contributed.part_of(event, present)
        cells = None if cells is None or part is None else [*cells, *part]
    for number, event in present.items():
        target = contributed.target(event)
        if number in receivers and isinstance(target, Array):
            known = cells if event.extra.get("is_plain") else None
            array_changes.fill(world.processes[number].rank, target, known, agreed.shared(world, present))
    return dict.fromkeys(present)


def _scatter(world: World, present: Present) -> dict[int, Value]:
    events = list(present.values())
    root = events[0].root
    if not isinstance(root, int):
        return {number: _share(world, present, number) for number in present}
    payload = events[root].payload
    if _has_buffers(present):
        return _scattered_buffers(world, present, contributed.cells_of(events[root], "send"))
    if isinstance(payload, (list, tuple)) and len(payload) == len(events):
        return {number: copied(part) for number, part in zip(present, payload, strict=True)}
    return {number: _share(world, present, number) for number in present}


def _share(world: World, present: Present, number: int) -> Symbol:
    event = present[number]
    return world.symbols.make("share", event.kind, str(event.extra.get("slot")), number, own=("received",))


def _scattered_buffers(world: World, present: Present, cells: list[Value] | None) -> dict[int, Value]:
    offset = 0
    for number, event in present.items():
        target = contributed.target(event)
        if isinstance(target, Array) and contributed.is_in_place(event, "receive"):
            offset += (target.size or 0) // len(present)  # the part of the root stays where it is
        elif isinstance(target, Array):
            part = None
            if cells is not None and event.extra.get("is_plain") and target.size is not None:
                part = cells[offset : offset + target.size]
                offset += target.size
            array_changes.fill(world.processes[number].rank, target, part, _share(world, present, number))
    return dict.fromkeys(present)


def _alltoall(world: World, present: Present) -> dict[int, Value]:
    events = list(present.values())
    if _has_buffers(present):
        return _exchanged(world, present, contributed.exchanged(present))
    if all(isinstance(e.payload, (list, tuple)) and len(e.payload) == len(events) for e in events):
        return {number: [copied(e.payload[index]) for e in events] for index, number in enumerate(present)}
    return {number: _share(world, present, number) for number in present}


def _exchanged(world: World, present: Present, cells: dict[int, list[Value]] | None) -> dict[int, Value]:
    """Fill the receive buffer of each rank with its cells, or with a share of its own."""
    for number, event in present.items():
        target = contributed.target(event)
        if isinstance(target, Array):
            known = None if cells is None else cells.get(number)
            array_changes.fill(world.processes[number].rank, target, known, _share(world, present, number))
    return dict.fromkeys(present)


def _reduce_scatter(world: World, present: Present) -> dict[int, Value]:
    if not _has_buffers(present):
        return {number: _share(world, present, number) for number in present}
    columns = contributed.columns(present)
    whole = None if columns is None else [reduced(world, present, column) for column in columns]
    return _exchanged(world, present, contributed.divided(present, whole))


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "SUM": lambda a, b: a + b,
    "PROD": lambda a, b: a * b,
    "MAX": max,
    "MIN": min,
    "LAND": lambda a, b: bool(a) and bool(b),
    "LOR": lambda a, b: bool(a) or bool(b),
    "BAND": lambda a, b: a & b,
    "BOR": lambda a, b: a | b,
}


def reduced(world: World, present: Present, values: list[Value]) -> Value:
    """The reduction of one value of each rank."""
    event = next(iter(present.values()))
    operator = event.operator.dotted.rpartition(".")[2] if isinstance(event.operator, Library) else ""
    apply = _OPERATORS.get(operator)
    numbers = all(isinstance(value, (int, float, bool)) for value in values)
    if apply is not None and (numbers or (operator == "SUM" and _are_lists(values))):
        total = values[0]
        for value in values[1:]:
            total = apply(total, value)
        return total
    return agreed.shared(world, present, *values) if not _own(values) else _combined(world, present, values)


def _combined(world: World, present: Present, values: list[Value]) -> Symbol:
    """An unknown reduction, equal to that of another communicator whose members contribute equal values.

    So it is where the ranks of each row of a grid hold the same parts.
    """
    event = next(iter(present.values()))
    if not all(isinstance(value, (Symbol, int, float, complex)) for value in values):
        return agreed.shared(world, present)  # other values may have equal keys without being equal
    key = ("reduction", event.kind, freeze(event.operator), *map(freeze, values))
    made: dict[object, int] = world.notes.setdefault(("reductions", event.communicator.identity), {})
    made[key] = made.get(key, 0) + 1
    symbol: Symbol = world.notes.setdefault((key, made[key]), agreed.shared(world, present))
    return symbol


def _are_lists(values: list[Value]) -> bool:
    return all(isinstance(value, list) for value in values) or all(isinstance(value, str) for value in values)


def _own(values: list[Value]) -> bool:
    return any(isinstance(value, Symbol) or not operations.is_plain(value) for value in values)


def _reduce_everywhere(world: World, present: Present) -> dict[int, Value]:
    return _reduced(world, present, set(present))


def _reduce(world: World, present: Present) -> dict[int, Value]:
    members = list(present)
    return _reduced(world, present, {members[index] for index in _roots(present)})


def _reduced(world: World, present: Present, receivers: set[int]) -> dict[int, Value]:
    if _has_buffers(present):
        _reduce_buffers(world, present, receivers)
        return dict.fromkeys(present)
    if any(isinstance(e.payload, Array) for e in present.values()):
        total = _sum_of_arrays(world, present)
        return {number: total.copy() if number in receivers else None for number in present}
    value = reduced(world, present, [event.payload for event in present.values()])
    results = {number: copied(value) if number in receivers else None for number in present}
    joined_lists.mark(world, present, results)
    return results


def _sum_of_arrays(world: World, present: Present) -> Array:
    """The reduction of pickled arrays, known for equal shapes and the operators that numpy applies to elements."""
    given = [event.payload for event in present.values()]
    known = next(one for one in given if isinstance(one, Array))
    parts = [one.cells if isinstance(one, Array) and one.shape == known.shape else None for one in given]
    event = next(iter(present.values()))
    is_elementwise = isinstance(event.operator, Library) and event.operator.dotted.endswith((".SUM", ".PROD"))
    if not is_elementwise or any(part is None for part in parts):
        return arrays.of_symbol(agreed.shared(world, present), known.shape, known.dtype)
    columns = zip(*(part or [] for part in parts), strict=True)
    cells = [reduced(world, present, list(column)) for column in columns]
    return arrays.of_cells(cells, known.shape, known.dtype)


def _reduce_buffers(world: World, present: Present, receivers: set[int]) -> None:
    parts = [contributed.cells_of(event, "send") for event in present.values()]
    cells: list[Value] | None = None
    known = [part for part in parts if part is not None]
    if len(known) == len(parts) and len({len(part) for part in known}) == 1:
        cells = [reduced(world, present, [part[i] for part in known]) for i in range(len(known[0]))]
    for number, event in present.items():
        target = contributed.target(event)
        if number in receivers and isinstance(target, Array):
            array_changes.fill(world.processes[number].rank, target, cells, agreed.shared(world, present))


def _prefix(world: World, present: Present) -> dict[int, Value]:
    is_exclusive = next(iter(present.values())).kind.lower().endswith("exscan")
    if _has_buffers(present):
        return _exchanged(world, present, _prefixes(world, present, is_exclusive))
    found: dict[int, Value] = {}
    values: list[Value] = []
    for number, event in present.items():
        before = list(values)
        values.append(event.payload)
        used = before if is_exclusive else values
        if not used:
            found[number] = None
        elif all(isinstance(value, (int, float)) for value in used):
            found[number] = reduced(world, present, list(used))
        else:
            found[number] = _share(world, present, number)
    return found


def _prefixes(world: World, present: Present, is_exclusive: bool) -> dict[int, list[Value]] | None:
    """The elements of each rank after `Scan` or `Exscan`, which leaves the buffer of the first rank as it was."""
    columns = contributed.columns(present)
    if columns is None or not all(isinstance(cell, (int, float)) for column in columns for cell in column):
        return None
    found: dict[int, list[Value]] = {}
    for index, number in enumerate(present):
        count = index if is_exclusive else index + 1
        if count:
            found[number] = [reduced(world, present, column[:count]) for column in columns]
        else:
            target = contributed.target(present[number])
            found[number] = target.cells or [] if isinstance(target, Array) else []
    return found


_RESULTS: dict[str, Callable[[Any, Present], dict[int, Value]]] = {
    "bcast": _bcast,
    "allgather": _allgather,
    "allgatherv": _allgather,
    "gather": _gather,
    "gatherv": _gather,
    "scatter": _scatter,
    "scatterv": _scatter,
    "alltoall": _alltoall,
    "alltoallv": _alltoall,
    "alltoallw": _alltoall,
    "allreduce": _reduce_everywhere,
    "reduce": _reduce,
    "scan": _prefix,
    "exscan": _prefix,
    "reduce_scatter": _reduce_scatter,
    "reduce_scatter_block": _reduce_scatter,
}
