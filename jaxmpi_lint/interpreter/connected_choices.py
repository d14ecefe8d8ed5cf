"""Choices about unknown values that are computed from one value, and so may not be independent of each other.

``len(names[:wanted])`` and ``wanted % 3`` are two symbols: a world in which both are chosen may be impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import tested_items
from jaxmpi_lint.interpreter.symbols import Symbol, reachable, symbols_of

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.turns import Turn
    from jaxmpi_lint.interpreter.verdicts import Fault

_ACCESS = frozenset({"attribute", "item", "option", "environ", "global", "field"})
"""Operations that read a part of a value; parts of one value are independent."""

_EXTREMES = frozenset((("str", "call"), ("str", name)) for name in ("min", "max"))


def are_connected(choices: Iterable[object]) -> bool:
    """Whether two choices are about different symbols with a common source."""
    known: dict[Symbol, frozenset[Symbol]] = {}
    symbols = {symbol for choice in choices for symbol in symbols_of(choice)}
    sources = [_sources(symbol, known) for symbol in symbols]
    return any(one & other for one, other in combinations(sources, 2))


def decides_lengths_twice(choices: Mapping[object, object], contributions: Mapping[Symbol, object]) -> bool:
    """Whether choices are about a number of all ranks, and about the number of items that a rank contributed to it.

    ``todo = comm.allreduce(len(mine), op=MPI.MAX)`` is at least as large as each of the lengths, and
    ``min(comm.allgather(len(mine)))`` is at most as large.
    """
    known: dict[Symbol, frozenset[Symbol]] = {}
    lengths = [key for key in choices if isinstance(key, tuple) and key[0] == "length"]
    of_all = {one for one in reachable(tuple(choices)) if one in contributions or _is_of_several(one)}
    given = {
        source
        for one in of_all
        for part in symbols_of(contributions.get(one, one.key))
        for source in _sources(part, known)
    }
    own = (key for key in lengths if of_all.isdisjoint(reachable(key)))
    return any(given & _sources(symbol, known) for key in own for symbol in symbols_of(key))


def _is_of_several(symbol: Symbol) -> bool:
    """Whether a value is the least or largest of several unknown numbers."""
    return symbol.key[:2] in _EXTREMES and len(symbol.operands) > 1


def has_empty(choices: Mapping[object, object]) -> bool:
    """Whether something has no items of which the program knows only that it may have some."""
    return any(number == 0 and isinstance(key, tuple) and key[0] == "length" for key, number in choices.items())


def part_independently(fault: Fault) -> bool:
    """Whether two ranks part where each compares a float or a draw of its own, as a solver that has converged.

    A counter of the passes in which such a comparison has failed parts them as well.
    """
    turns = (fault.cause, fault.other_cause)
    if all(turn is not None and _repeats_known(turn) for turn in turns):
        return True
    if fault.cause is not None and fault.earlier is not None and _sets_what_is_tested(fault.earlier, fault.cause):
        turns = (fault.earlier, fault.other_earlier)
    mine, others = map(_compared, turns)
    return mine is not None and others is not None and hold_different_data(mine, others)


def _repeats_known(turn: Turn) -> bool:
    """Whether a test in a loop, or of one, compares known floats: the role of a rank is tested once."""
    if not turn.compares_floats or turn.asked or turn.branch is None:
        return False
    branches = (block.terminator for block in turn.frame.function.blocks)
    loops = (one for one in branches if isinstance(one, ir.Branch) and one.kind in ("for", "while"))
    return any(ir.contains(loop.extent, turn.branch.extent) for loop in loops)


def _sets_what_is_tested(earlier: Turn, test: Turn) -> bool:
    """Whether the arms of a branch assign a variable that the test of a later one in the same function reads."""
    if earlier.branch is None or test.branch is None or earlier.frame.function is not test.frame.function:
        return False
    assigned = tested_items.names_bound(earlier.frame, earlier.branch.extent)
    read = {node.id for node in ir.walk(test.branch.test) if isinstance(node, ir.Name)}
    return not assigned.isdisjoint(read)


def hold_different_data(mine: Symbol, others: Symbol) -> bool:
    """Whether the values of two ranks are computed from different data.

    Not if one contains all the data of single ranks that the other one does: it may be the same sum, made by messages,
    as are values that differ in the order of operations only.
    """
    if mine is others:
        return False
    steps, other_steps = reachable(mine), reachable(others)
    if _has_draw(steps - other_steps) and _has_draw(other_steps - steps):
        return True
    known: dict[Symbol, frozenset[Symbol]] = {}
    one, other = ({leaf for leaf in _sources(symbol, known) if leaf.own} for symbol in (mine, others))
    if one or other:
        return not (one <= other or other <= one)
    return _constants(steps - other_steps) != _constants(other_steps - steps)


def _has_draw(symbols: Iterable[Symbol]) -> bool:
    """Whether a value is a random number that one rank draws for itself."""
    return any(symbol.key[0] == ("str", "random") and "random" in symbol.own for symbol in symbols)


def _constants(symbols: Iterable[Symbol]) -> set[object]:
    """What the computations of symbols have beside other symbols: numbers, texts, parts of arrays."""
    found: set[object] = set()
    todo: list[object] = [symbol.key for symbol in symbols]
    while todo:
        part = todo.pop()
        if isinstance(part, tuple):
            todo += part
        elif not isinstance(part, Symbol):
            found.add(part)
    return found


def _compared(turn: Turn | None) -> Symbol | None:
    """The test of a branch, if it compares floats, or a counter of passes in which floats are compared."""
    if turn is None or len(turn.asked) != 1:
        return None
    test = turn.asked[0][0]
    counters = (one for one in reachable(test.key) if one.key[0] == ("str", "after passes"))
    return test if _is_comparison(test) or any(any(map(_is_comparison, one.operands)) for one in counters) else None


def _is_comparison(test: Symbol) -> bool:
    """Whether a test compares floats, or numbers that follow from what each rank draws for itself."""
    match test.key:
        case (("str", "operation"), ("str", "<" | "<=" | ">" | ">="), left, right):
            return "random" in test.own or _is_float(left) or _is_float(right)
    return False


def _is_float(value: object) -> bool:
    """Whether a value is a float, as a quotient is."""
    if isinstance(value, Symbol):
        return value.kind == "float" or value.key[:2] == (("str", "operation"), ("str", "/"))
    return isinstance(value, tuple) and value[0] == "float"


def _sources(symbol: Symbol, known: dict[Symbol, frozenset[Symbol]]) -> frozenset[Symbol]:
    """The values that a symbol is computed from."""
    if symbol not in known:
        parts = set(symbols_of(symbol.key)) if not _reads_part(symbol) else set()
        known[symbol] = frozenset({symbol}).union(*(_sources(part, known) for part in parts))
        if parts:
            known[symbol] -= {symbol}
    return known[symbol]


def _reads_part(symbol: Symbol) -> bool:
    """Whether a symbol is a part of a value; a slice has a length that depends on that of the whole."""
    operation = symbol.key[0]
    if operation == ("str", "item") and isinstance(symbol.key[-1], tuple) and symbol.key[-1][:1] == ("slice",):
        return False
    return isinstance(operation, tuple) and len(operation) == 2 and operation[1] in _ACCESS
