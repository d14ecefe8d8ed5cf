"""Old values that some ranks keep where others replace them, and what the ranks send that is computed from them.

A separate world marks such values: each is a symbol on the ranks that keep it. A mark that arrives in a contribution
to a collective, through an operation that computes something, is a fault. Nothing else of that world counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import array_changes, arrays, assignment, evaluation, unset_roots
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Access, Collective, Event, Place, Send
from jaxmpi_lint.interpreter.libraries.files import FileValue
from jaxmpi_lint.interpreter.raised import ProgramError
from jaxmpi_lint.interpreter.replacements import Replacement, Replacements
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Cut, Library, Method, NeedsCall, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

TAG = "stale"
_SAVING = frozenset({"numpy.save", "numpy.savetxt", "numpy.savez", "numpy.savez_compressed"})
_WRITING = frozenset({"write", "writelines"})
_ROOTED = frozenset({"Reduce", "Gather", "Gatherv", "Ireduce", "Igather", "Igatherv"})
_OF_ROOT = frozenset({"bcast", "scatter", "scatterv", "barrier"})
_HANDING_ON = frozenset(
    """int float bool complex str repr len round abs list tuple array asarray ascontiguousarray atleast_1d copy cell
    float64 int64 float32 int32 all any not and or changed filled full ravel flatten reshape item tolist ravelled
    unravelled leaves unflatten""".split()
)
"""Operations after which a value is still the one that was kept: it may be sent to spread it, or to compare it."""

_UNSET = "only rank {by} sets `{text}`: the others compute with memory that nothing has set"
_UNSET_HERE = "only some ranks have a value: the others compute with memory that nothing has set"
_REPLACED = "perhaps changed"
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"})
_SYNCHRONISING = re.compile(
    r"sync|bcast|broadcast|share|reduce|gather|scatter|distribute|average|mpi|comm", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A value that a rank keeps: where another one replaces it, that rank, and the difference in words.

    ``is_empty`` if it is zero, ``is_sure`` if the new value is meant for all ranks; ``size`` is that of an array.
    ``is_unreceived`` if it stands for the result of a collective that only its root receives.
    """

    place: Place
    replaced_by: int
    text: str
    detail: str
    is_empty: bool
    is_sure: bool
    size: int = 0
    is_unreceived: bool = False


@dataclass(slots=True)
class Stale:
    """The marks of a world, and the replacements that ranks have made."""

    replacements: Replacements
    marks: dict[Symbol, Mark] = field(default_factory=dict)
    _before: dict[object, tuple[int, object]] = field(default_factory=dict)
    _joins: dict[int, list[tuple[Frame, int, list[ir.Name], Symbol]]] = field(default_factory=dict)
    _defaults: dict[int, list[tuple[Frame, int, Replacement, int]]] = field(default_factory=dict)
    _found: set[Symbol] = field(default_factory=set)

    # --- branches ---

    def branch(self, rank: Rank, frame: Frame, block: int, outcome: bool) -> None:
        """Note what a rank will replace, mark what it will keep; a test of a marked value marks what it decides."""
        path, qualname = frame.scope.module.ir.path, frame.function.qualname
        made = self.replacements.of(path, qualname).get(block, ())
        join = self.replacements.meeting(path, qualname, block)[0] if made else -1
        for one in made:
            key = (rank.turn, one.span, str(one.place))
            old = _held(rank, frame, one)
            if one.outcome is outcome:
                self._before.setdefault(key, (rank.number, freeze(old)))
            elif key in self._before and (one.has_default or one.has_memory):
                self._defaults.setdefault(id(frame), []).append((frame, join, one, self._before[key][0]))
            elif key in self._before and self._before[key][1] == freeze(old) and _may_be_meant(old, one.is_result):
                self._keep(rank, frame, one, old, self._before[key][0])
        tests = [symbol for symbol, _ in rank.asked if TAG in symbol.own]
        if tests:
            join, names = self.replacements.meeting(path, qualname, block)
            self._joins.setdefault(id(frame), []).append((frame, join, names, tests[0]))

    def meet(self, rank: Rank, frame: Frame, block: int) -> None:
        """Mark the names that a test of a marked value has decided."""
        for held, join, names, test in self._joins.get(id(frame), ()):
            for name in names if held is frame and join == block else ():
                old = _evaluated(rank, frame, name)
                if isinstance(old, (bool, int, float)) and not isinstance(old, bool):
                    assignment.bind(rank, frame, name, rank.symbol("decided", old, test, kind=type(old).__name__))

        due = [one for one in self._defaults.get(id(frame), ()) if one[0] is frame and one[1] == block]
        for _, _, replacement, by in due:
            old = _evaluated(rank, frame, replacement.place)
            if unset_roots.is_unset(old) if replacement.has_memory else isinstance(old, (int, float, str)):
                self._keep(rank, frame, replacement, old, by)
        if due:
            self._defaults[id(frame)] = [one for one in self._defaults[id(frame)] if one not in due]

    def _keep(self, rank: Rank, frame: Frame, one: Replacement, old: Value, by: int) -> None:
        text = frame.scope.module.ir.source(one.place.span).partition("(")[0]
        place = rank.place(one.span)
        size = (old.size or 0) if isinstance(old, Array) else 0
        is_sure = one.is_own or one.has_memory or (one.is_told and isinstance(old, float))
        detail = f"only rank {by} replaces `{text}`: the others compute with its old value"
        if one.has_memory:
            detail = _UNSET.format(by=by, text=text)
        mark = Mark(place, by, text, detail, _is_empty(old) and not one.is_result, is_sure, size)
        symbol = self._symbol(rank, mark, _kind(old))
        if isinstance(old, dict):
            old.update((key, symbol) for key, held in old.items() if _may_be_meant(held) and not isinstance(held, dict))
        if one.of_entries or isinstance(old, dict):
            return
        if isinstance(old, Array):
            kept = old if one.in_place or one.has_memory else old.copy()  # a receive may fill it later
            array_changes.fill(rank, kept, None, symbol)
            value: Value = kept
        else:
            value = symbol
        if not (one.in_place and isinstance(old, Array)):
            assignment.bind(rank, frame, one.place, value)

    def _symbol(self, rank: Rank, mark: Mark, kind: str) -> Symbol:
        symbol = rank.symbol(
            TAG, mark.place.module.path, mark.place.span, mark.text, rank.number, own=(TAG,), kind=kind
        )
        self.marks[symbol] = mark
        return symbol

    def choice(self, rank: Rank, frame: Frame, node: ir.Expression, value: Value) -> Value:
        """The value of a conditional expression; marked if it stands for a result that the rank does not have.

        Memory that nothing has set is filled with the mark, where other ranks have a value.
        """
        path, qualname = frame.scope.module.ir.path, frame.function.qualname
        if isinstance(value, Array):
            if node.span in self.replacements.memories(path, qualname) and unset_roots.is_unset(value):
                text = frame.scope.module.ir.source(node.span)
                mark = Mark(rank.place(node.span), 1 - rank.number, text, _UNSET_HERE, False, True)
                array_changes.fill(rank, value, None, self._symbol(rank, mark, ""))
            return value
        tested = self.replacements.defaults(path, qualname).get(node.span)
        if tested is None or _evaluated(rank, frame, tested) is not None or not isinstance(value, (int, float)):
            return value
        text = frame.scope.module.ir.source(node.span)
        asked = frame.scope.module.ir.source(tested.span)
        detail = f"`{asked}` is None on some ranks: they compute with the other value of this expression"
        return self._symbol(rank, Mark(rank.place(node.span), 0, text, detail, False, True), _kind(value))

    # --- collectives ---

    def collective(self, world: World, present: dict[int, Collective]) -> None:
        """Look at what the ranks contribute; what they receive is not marked."""
        for number, event in present.items():
            if event.kind.lower().removeprefix("i") in _OF_ROOT:
                continue
            for holder, key in ((event, "payload"), (event.extra, "send")):
                value = holder.payload if isinstance(holder, Collective) else holder.get(key)
                self._contribution(world, number, event, value)
            event.payload = self._clean(world, event.payload)

    def received(self, world: World, present: dict[int, Collective]) -> None:
        """Mark the receive buffers of the ranks that receive nothing."""
        for number, event in present.items():
            target, sent = event.extra.get("receive"), event.extra.get("send")
            if event.kind not in _ROOTED or event.root == event.communicator.number or not isinstance(target, Array):
                continue
            if target.is_jax or (isinstance(sent, Array) and sent.store is target.store):
                continue
            detail = "receives the result: the buffers of the others hold what they held before"
            array_changes.fill(
                world.processes[number].rank, target, None, self._unreceived(world, number, event, detail)
            )

    def returned(self, world: World, present: dict[int, Collective], values: dict[int, Value]) -> None:
        """Mark the results of mpi4jax on the ranks to which it returns what they handed in."""
        for number, event in present.items():
            if not event.extra.get("hands back") or event.root == event.communicator.number:
                continue
            detail = "gets the result: mpi4jax returns to the others what they handed in"
            symbol, value = self._unreceived(world, number, event, detail), values.get(number)
            if isinstance(value, Array):
                array_changes.fill(world.processes[number].rank, value, None, symbol)
            else:
                values[number] = symbol

    def _unreceived(self, world: World, number: int, event: Collective, detail: str) -> Symbol:
        members = event.communicator.members or ()
        by = members[event.root] if isinstance(event.root, int) and event.root < len(members) else 0
        is_of_all = members == tuple(range(world.size))  # in parts, tests of other ranks may select the root
        mark = Mark(event.place, by, event.label, f"only rank {by} {detail}", False, is_of_all, is_unreceived=True)
        return self._symbol(world.processes[number].rank, mark, "")

    def written(self, rank: Rank, function: Value, values: Iterable[Value]) -> None:
        """Look at what a rank writes into a file."""
        name = function.dotted if isinstance(function, Library) else ""
        if isinstance(function, Method) and function.name in _WRITING and isinstance(function.receiver, FileValue):
            name = function.name
        if name in _SAVING or name in _WRITING:
            event = Access(rank.place(rank.state["span"]), name)
            self._contribution(rank.world, rank.number, event, list(values), is_written=True)

    def message(self, world: World, number: int, event: Send) -> None:
        """Look at what a rank sends."""
        self._contribution(world, number, event, event.payload)

    def _contribution(self, world: World, number: int, event: Event, value: Value, *, is_written: bool = False) -> None:
        leaves = [leaf for leaf in _symbols_in(value) if TAG in leaf.own]
        found = {symbol: is_sure for leaf in leaves for symbol, is_sure in computed(leaf, self.marks, is_written)}
        found.update((symbol, True) for symbol in self._chosen(leaves))
        for symbol, is_sure in found.items():
            if symbol not in self._found:
                self._found.add(symbol)
                world.report(self._fault(symbol, number, event, is_sure))

    def _chosen(self, leaves: list[Symbol]) -> Iterable[Symbol]:
        """The marked arrays of which a part is sent: each rank takes its share of them."""
        positions: dict[Symbol, set[object]] = {}
        for leaf in leaves:
            for array, position in _cells(leaf):
                positions.setdefault(array, set()).add(position)
        return (one for one, taken in positions.items() if one in self.marks and 1 < len(taken) < self.marks[one].size)

    def _fault(self, symbol: Symbol, number: int, event: Event, is_sure: bool) -> Fault:
        mark = self.marks[symbol]
        kind = Kind.STALE if is_sure and mark.is_sure else Kind.STALE_PERHAPS
        return Fault(kind, Access(mark.place, mark.text), mark.replaced_by, number, event, mark.detail)

    def _clean(self, world: World, value: Value) -> Value:
        """What arrives of a contribution: a symbol of its own."""
        if isinstance(value, Symbol) and TAG in value.own:
            return world.symbols.make("sent", value.number, kind=value.kind, own=value.own - {TAG})
        if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
            return type(value)(self._clean(world, item) for item in value)
        if isinstance(value, Array) and any(TAG in leaf.own for leaf in _symbols_in(value)):
            return arrays.of_symbol(world.symbols.make("sent", str(id(value))), value.shape, value.dtype)
        return value


def computed(value: Symbol, marks: dict[Symbol, Mark], is_written: bool = False) -> Iterable[tuple[Symbol, bool]]:
    """The marked symbols from which a value is computed, and whether no call on the way could spread values.

    ``is_written`` if it goes into a file, as results do that were received: then they count as they are.
    """
    found: dict[Symbol, bool] = {}
    seen: set[tuple[int, bool, bool, str]] = set()
    stack: list[tuple[Symbol, bool, bool, str]] = [(value, False, True, "")]
    while stack:
        symbol, is_computed, is_sure, parent = stack.pop()
        if (symbol.number, is_computed, is_sure, parent) in seen or TAG not in symbol.own:
            continue
        seen.add((symbol.number, is_computed, is_sure, parent))
        mark = marks.get(symbol)
        if mark is not None:
            is_used = is_computed or (is_written and mark.is_unreceived)
            if is_used and not (mark.is_empty and parent in ("+", "-")):
                found[symbol] = found.get(symbol, True) and is_sure
            continue
        name = _operation(symbol)
        handing_on = name in _HANDING_ON or name in _COMPARISONS or name == _REPLACED
        surely = is_sure and name != _REPLACED and not _may_synchronise(symbol)
        above = parent if handing_on else name
        stack += [(operand, is_computed or not handing_on, surely, above) for operand in _operands(symbol.key)]
    return found.items()


def _may_synchronise(symbol: Symbol) -> bool:
    """Whether an unknown call has made a value, by whose name it may have made it equal on all ranks."""
    return symbol.is_guess and _SYNCHRONISING.search(" ".join(symbol.words(1))) is not None


def _cells(symbol: Symbol) -> Iterable[tuple[Symbol, object]]:
    """The element of an array that a symbol is, as it is or as a number of Python."""
    while _operation(symbol) in _HANDING_ON:
        operands = list(_operands(symbol.key))
        if len(operands) != 1:
            return
        if _operation(symbol) == "cell":
            yield operands[0], symbol.key[-1]
        symbol = operands[0]


def _operation(symbol: Symbol) -> str:
    """The operator, or the last part of the name of the function."""
    words = [
        part for part in symbol.key if isinstance(part, tuple) and len(part) == 2 and part[0] in ("str", "library")
    ]
    names = [str(part[1]) for part in words[:2]]
    if names[:1] in (["operation"], ["call"]) and len(names) > 1:
        return names[1].rpartition(".")[2] or names[1]
    return names[0] if names else ""


def _operands(frozen: object) -> Iterable[Symbol]:
    if isinstance(frozen, Symbol):
        yield frozen
    elif isinstance(frozen, tuple):
        for part in frozen:
            yield from _operands(part)


def _symbols_in(value: Value, depth: int = 4) -> Iterable[Symbol]:
    if isinstance(value, Symbol):
        yield value
    elif isinstance(value, Array):
        yield from _operands(value.freeze(2))
    elif isinstance(value, (list, tuple, set)) and depth:
        for item in value:
            yield from _symbols_in(item, depth - 1)
    elif isinstance(value, dict) and depth:
        for item in value.values():
            yield from _symbols_in(item, depth - 1)


def _evaluated(rank: Rank, frame: Frame, place: ir.Expression) -> Value:
    """What a place holds; None if it holds nothing, or only a call of the program could tell."""
    try:
        return evaluation.evaluate(rank, frame, place)
    except (NeedsCall, ProgramError, Cut):
        return None


def _held(rank: Rank, frame: Frame, one: Replacement) -> Value:
    """What the place of a replacement holds; the fields of an object of which some are replaced."""
    old = _evaluated(rank, frame, one.place)
    return getattr(old, "fields", old) if one.of_entries else old


def _may_be_meant(old: Value, is_result: bool = False) -> bool:
    """Whether an old value is one to compute with: not None, no empty container, no zero that adds nothing.

    A zero that stands for the result of a collective is one.
    """
    if isinstance(old, Symbol):
        return not old.own
    if isinstance(old, Array):
        return True
    if isinstance(old, bool) or not isinstance(old, (int, float, str, list, tuple, dict)):
        return False
    return bool(old) or (is_result and isinstance(old, (int, float)))


def _is_empty(old: Value) -> bool:
    """Whether an array holds zeros only, so that adding it changes nothing."""
    return isinstance(old, Array) and old.cells is not None and not any(old.cells)


def _kind(old: Value) -> str:
    if isinstance(old, Symbol):
        return old.kind
    return type(old).__name__ if isinstance(old, (int, float, str, list, tuple)) else ""
