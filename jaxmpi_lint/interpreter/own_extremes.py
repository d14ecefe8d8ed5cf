"""Parts of one field that each rank changes by the largest or least value of its part, as by its own time step.

The ranks exchange the borders of their parts, so that these belong together: a step must be the same on all of them.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Access, Place, Send
from jaxmpi_lint.interpreter.symbols import Symbol, freeze, reachable, symbols_of
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_SENT = "contents of messages"
_MADE = "largest and least values of one rank"
_TOLD = "largest and least values that are sent"
EXTREMES = frozenset({"max", "min", "nanmax", "nanmin"})
"""Reductions to the largest or least value."""

_NUMBERS = frozenset({"float", "min", "max", "abs", "builtins.float", "builtins.min", "builtins.max", "builtins.abs"})
_DEEPEST = 8
_FACTORS = frozenset((("str", "operation"), ("str", operator)) for operator in ("*", "/"))

_Contents = dict[int, list[frozenset[Symbol]]]


def keep(rank: Rank, value: Value) -> None:
    """Keep that a rank computes the largest or least value of an array, and where."""
    frame = rank.frames[-1]
    for symbol in symbols_of(freeze(value)):
        rank.world.notes.setdefault((_MADE, rank.number), set()).add(symbol)
        rank.world.origins.setdefault(symbol, (frame.scope.module.ir, rank.state.get("span", frame.span)))


def sent(world: World, rank: Rank, event: Send) -> None:
    """Keep what a rank sends of an array, for each place, and the largest and least values that it tells others.

    Whole arrays are no borders: a rank may limit or scale what it contributes, as gradients.
    """
    payload = freeze(event.payload)
    told = _extremes(payload) or set()
    for part in payload if isinstance(payload, tuple) and payload[:1] in (("tuple",), ("list",)) else ():
        told |= _extremes(part) or set()
    world.notes.setdefault((_TOLD, rank.number), set()).update(told)
    if isinstance(event.payload, Array) and event.payload.shape != () and _is_part(payload):
        made: _Contents = world.notes.setdefault((_SENT, event.place.module.path, event.place.span), {})
        contents = made.setdefault(rank.number, [])
        content = frozenset(symbols_of(payload))
        if len(contents) < 2:
            contents.append(content)
        else:
            contents[1] = content


def _is_part(frozen: object) -> bool:
    """Whether an array is a part of a memory, or a copy of one."""
    return isinstance(frozen, tuple) and frozen[-1] not in (None, freeze(None))


def fault(world: World) -> Fault | None:
    """The first place at which two ranks send what they have changed by different values of their own parts."""
    for key, made in world.notes.items():
        if isinstance(key, tuple) and key[0] == _SENT:
            for one, other in combinations(sorted(made), 2):
                found = _compared(world, made, one, other)
                if found is not None:
                    return found
    return None


def _compared(world: World, made: _Contents, one: int, other: int) -> Fault | None:
    first = {number: reachable(tuple(made[number][0])) for number in (one, other)}
    mine, theirs = (
        {step for step in _steps(world, number, made[number]) if not of_rank.isdisjoint(reachable(step.key))}
        for number, of_rank in ((one, first[one] - first[other]), (other, first[other] - first[one]))
    )
    known = sorted((symbol for symbol in mine if symbol in world.origins), key=lambda symbol: symbol.number)
    if not known or not theirs or mine & theirs:
        return None
    module, span = world.origins[known[0]]
    event = Access(Place(module, span), module.source(span))
    detail = "each rank changes its part by the largest or least value of this part, and then exchanges the borders"
    return Fault(Kind.OWN_STEP, event, one, other, detail=detail)


def _steps(world: World, number: int, contents: list[frozenset[Symbol]]) -> set[Symbol]:
    """The largest or least values that a rank has computed, by which what it sends last is multiplied or divided.

    Not those that it sends too, as the scale of numbers that it has compressed.
    """
    own: set[Symbol] = world.notes.get((_MADE, number), set()) - world.notes.get((_TOLD, number), set())
    if len(contents) < 2 or not own:
        return set()
    found: set[Symbol] = set()
    for symbol in reachable(tuple(contents[1])):
        for part in symbol.key[2:] if symbol.key[:2] in _FACTORS else ():
            found |= _extremes(part) or set()
    return found & own


def _extremes(operand: object, depth: int = _DEEPEST) -> set[Symbol] | None:
    """The largest and least values that a number is computed from; None if it is not known to be a number."""
    match operand:
        case ("array", (), _, (Symbol() as content,) | content, *_):
            return _extremes(content, depth)
        case Symbol() if _is_extreme(operand):
            return {operand}
        case Symbol(key=(("str", "operation"), _, *of_operation)):
            parts = of_operation
        case Symbol(key=(("str", "call"), ("str" | "library", str(name)), *given)) if name in _NUMBERS:
            parts = [part for part in given if part != ("dict",)]
        case ("int" | "float", _) | Symbol(kind="int" | "float") | Symbol(key=(("str", "option"), *_)):
            parts = []
        case _:
            return None
    made = [_extremes(part, depth - 1) if depth else None for part in parts]
    return None if any(one is None for one in made) else set().union(*(one for one in made if one is not None))


def _is_extreme(symbol: Symbol) -> bool:
    """Whether a symbol is the largest or least element of an array: no axis is given."""
    match symbol.key:
        case (("str", "call"), ("method", ("str", str(name)) | str(name), _), *rest) if name in EXTREMES:
            return rest in ([], [("dict",)])
        case (("str", "call"), (_, str(name)), _, *_):
            return name.rpartition(".")[2] in EXTREMES
    return False
