"""Old values that some ranks keep where others replace them, and what the ranks send that is computed from them.

A separate world marks such values: each is a symbol on the ranks that keep it. A mark that arrives in a contribution
to a collective, through an operation that computes something, is a fault, and so is a test of a result that a rank does
not have, if the ranks do not meet because of it. Nothing else of that world counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import array_changes, arrays, assignment, causes, evaluation, unset_roots
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Access, Collective, Event, Send
from jaxmpi_lint.interpreter.libraries.files import FileValue
from jaxmpi_lint.interpreter.marked_values import (
    TAG,
    UNSET,
    ZEROS,
    Mark,
    as_they_are,
    computed,
    elements,
    symbols_in,
)
from jaxmpi_lint.interpreter.raised import ProgramError
from jaxmpi_lint.interpreter.replacements import Replacement, Replacements
from jaxmpi_lint.interpreter.symbols import Symbol, freeze, reachable
from jaxmpi_lint.interpreter.values import Cut, Library, Method, NeedsCall, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_SAVING = frozenset({"numpy.save", "numpy.savetxt", "numpy.savez", "numpy.savez_compressed"})
_WRITING = frozenset({"write", "writelines"})
_MEMORY = {UNSET: "memory that nothing has set", ZEROS: "zeros"}
_UNSET_HERE = f"only some ranks have a value: the others compute with {_MEMORY[UNSET]}"
_ROOTED = frozenset({"Reduce", "Gather", "Gatherv", "Ireduce", "Igather", "Igatherv"})
_OF_ROOT = frozenset({"bcast", "scatter", "scatterv", "barrier"})


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
            elif key in self._before and (one.has_default or one.other_memory):
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
            if _is_placeholder(old, replacement):
                self._keep(rank, frame, replacement, old, by)
        if due:
            self._defaults[id(frame)] = [one for one in self._defaults[id(frame)] if one not in due]

    def _keep(self, rank: Rank, frame: Frame, one: Replacement, old: Value, by: int) -> None:
        text = ir.dotted(one.place) or frame.scope.module.ir.source(one.place.span)
        place = rank.place(one.span)
        size = (old.size or 0) if isinstance(old, Array) else 0
        is_sure = one.is_own or one.other_memory == UNSET or (one.is_told and isinstance(old, float))
        detail = f"only rank {by} replaces `{text}`: the others compute with its old value"
        if one.other_memory:
            detail = f"only rank {by} sets `{text}`: the others compute with {_MEMORY[one.other_memory]}"
        is_empty = one.other_memory == ZEROS or (_is_empty(old) and not one.is_result)
        mark = Mark(place, by, text, detail, is_empty, is_sure, size, memory=one.other_memory)
        symbol = self._symbol(rank, mark, _kind(old))
        if isinstance(old, dict):
            old.update((key, symbol) for key, held in old.items() if _may_be_meant(held) and not isinstance(held, dict))
        if one.of_entries or isinstance(old, dict):
            return
        if isinstance(old, Array):
            kept = old if one.in_place or one.other_memory else old.copy()  # a receive may fill it later
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
                mark = Mark(rank.place(node.span), 1 - rank.number, text, _UNSET_HERE, False, True, memory=UNSET)
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

    def handed(self, values: Iterable[Value]) -> None:
        """Forget the new memory in what an unknown call is handed, also by its address: it may fill it."""
        leaves = [one for value in values for one in symbols_in(value, in_objects=True) if TAG in one.own]
        self._found |= {one for one in reachable(tuple(leaves)) if one in self.marks and self.marks[one].memory}

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

    def parted(self, world: World, fault: Fault) -> None:
        """Report a result that a rank does not have, where a test of it is why the ranks do not meet."""
        causes.attribute(fault, world)
        turns = (turn for turn in (fault.cause, fault.other_cause) if turn is not None)
        tested = reachable(tuple(symbol for turn in turns for symbol, _ in turn.asked))
        missing = (one for one in tested if one in self.marks and self.marks[one].is_unreceived)
        symbol = min(missing, key=lambda one: one.number, default=None)
        if symbol is not None and symbol not in self._found:
            self._found.add(symbol)
            found = self._fault(symbol, fault.rank, fault.event, is_sure=True)
            found.cause, found.other_cause = fault.cause, fault.other_cause
            world.report(found)

    def _contribution(self, world: World, number: int, event: Event, value: Value, *, is_written: bool = False) -> None:
        leaves = [leaf for leaf in symbols_in(value) if TAG in leaf.own]
        found = {symbol: is_sure for leaf in leaves for symbol, is_sure in computed(leaf, self.marks, is_written)}
        found.update((symbol, True) for symbol in self._chosen(leaves))
        self._found |= {
            one for leaf in leaves for one in as_they_are(leaf) if one in self.marks and self.marks[one].memory == ZEROS
        }
        for symbol, is_sure in found.items():
            if symbol not in self._found:
                self._found.add(symbol)
                world.report(self._fault(symbol, number, event, is_sure))

    def _chosen(self, leaves: list[Symbol]) -> Iterable[Symbol]:
        """The marked arrays of which a part is sent: each rank takes its share of them."""
        positions: dict[Symbol, set[object]] = {}
        for leaf in leaves:
            for array, position in elements(leaf):
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
        if isinstance(value, Array) and any(TAG in leaf.own for leaf in symbols_in(value)):
            return arrays.of_symbol(world.symbols.make("sent", str(id(value))), value.shape, value.dtype)
        return value


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


def _is_placeholder(old: Value, replacement: Replacement) -> bool:
    """Whether a rank has nothing but what one side of a test has assigned: a default, or new memory."""
    if not replacement.other_memory:
        return isinstance(old, (int, float, str))
    if replacement.other_memory == UNSET:
        return unset_roots.is_unset(old)
    return _is_empty(old) or (isinstance(old, Array) and old.cells is None and _is_zeros(old.store.symbol))


def _is_zeros(symbol: object) -> bool:
    return isinstance(symbol, Symbol) and symbol.key[0] == ("str", "filled") and symbol.key[-1] == ("int", 0)


def _is_empty(old: Value) -> bool:
    """Whether an array holds zeros only, so that adding it changes nothing."""
    return isinstance(old, Array) and old.cells is not None and not any(old.cells)


def _kind(old: Value) -> str:
    if isinstance(old, Symbol):
        return old.kind
    return type(old).__name__ if isinstance(old, (int, float, str, list, tuple)) else ""
