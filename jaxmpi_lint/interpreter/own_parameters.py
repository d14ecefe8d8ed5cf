"""Parameters that each rank draws for itself and that averaged gradients then change.

The average of gradients of different models belongs to none of them: the models stay apart, since each rank adds the
same steps to separate parameters. Only reductions that are named for gradients count: data may be centred like this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import agreed
from jaxmpi_lint.interpreter.events import Access, Collective, Place
from jaxmpi_lint.interpreter.same_draws import contribution, is_sum, seed_places
from jaxmpi_lint.interpreter.symbols import Symbol, freeze, reachable
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_GRADIENTS = re.compile(r"grad|(?<![a-z])[dg]_?[wb]\d*(?![a-z])", re.IGNORECASE)
_AVERAGES, _FOUND = "averages of gradients", "parameters of each rank"
_DRAWN = "what is drawn before the first average"
_HOLD = "whether symbols are computed from averages"
_DRAWS = (("str", "random"), ("str", "own"))
_STEPS = (("str", "-"), ("str", "+"))
_NEAR = 4
"""Lines before and after a call."""

MAX_AVERAGES = 32
"""The first averages show whether parameters differ; what later ones are computed from grows with each."""


def note(world: World, present: dict[int, Collective]) -> None:
    """Record the first average of gradients that are computed from parameters which differ between ranks."""
    first = next(iter(present.values()))
    if _FOUND in world.notes or len(present) == 1 or not (is_sum(first) and _is_of_gradients(first.place)):
        return
    averages: set[Symbol] = world.notes.setdefault(_AVERAGES, set())
    drawn: set[Symbol] = world.notes.setdefault(_DRAWN, set())
    if len(averages) >= MAX_AVERAGES:
        return
    if averages:
        _compare(world, present, averages, drawn)
    else:
        drawn.update(*(_draws(freeze(contribution(event))) for event in present.values()))
    averages.add(agreed.shared(world, present))


def fault(world: World) -> Fault | None:
    """The average that `note` has recorded."""
    found: Fault | None = world.notes.get(_FOUND)
    return found


def _is_of_gradients(place: Place) -> bool:
    """Whether the function of a call, lines near it in a script, or those of a call that leads to it name gradients."""
    functions = (one.span for one in place.module.functions.values() if one is not place.module.body)
    around = [span for span in functions if span[0] <= place.span[0] and place.span[1] <= span[1]]
    start, end = min(around, key=lambda span: span[1] - span[0], default=_around(place))
    texts = [_lines(place.module, place.span), place.module.text[start:end]]
    texts += [_lines(*call) for call in place.calls if call is not None]
    return any(map(_GRADIENTS.search, texts))


def _around(place: Place) -> ir.Span:
    """The lines of a script around a call."""
    starts = place.module.line_starts
    first, last = max(place.row - 1 - _NEAR, 0), place.row + _NEAR
    return starts[first], starts[last] if last < len(starts) else len(place.module.text)


def _lines(module: ir.Module, span: ir.Span) -> str:
    """The lines of a call."""
    start, end = module.text.rfind("\n", 0, span[0]) + 1, module.text.find("\n", span[1])
    return module.text[start : end if end >= 0 else None]


def _draws(frozen: object) -> set[Symbol]:
    """The random numbers of single ranks from which a value is computed."""
    return {one for one in reachable(frozen) if one.key[0] in _DRAWS and "random" in one.own}


def _compare(world: World, present: dict[int, Collective], averages: set[Symbol], drawn: set[Symbol]) -> None:
    lowest, other = min(present), max(present)
    known: dict[Symbol, bool] = world.notes.setdefault(_HOLD, {})
    mine, theirs = (
        {one for one in _changed(present[number], averages, known) if _draws(one) <= drawn}
        for number in (lowest, other)
    )
    if not mine or not theirs or mine & theirs or _seeds(mine) & _seeds(theirs):
        return
    parameter = min(mine, key=lambda one: one.number)
    places = seed_places(world, reachable(parameter))
    draws = sorted(_draws(parameter), key=lambda one: one.number)
    places += [Place(*world.origins[one]) for one in draws if one in world.origins]
    event = Access(places[0], "seed") if places else present[lowest]
    name = present[lowest].label
    detail = f"each rank draws separate parameters, which the gradients that `{name}` sums then change"
    world.notes[_FOUND] = Fault(Kind.OWN_PARAMETERS, event, lowest, other, present[other], detail)


def _seeds(parameters: set[Symbol]) -> set[Symbol]:
    """The generators with a seed from which values are drawn; what they draw may differ in its shape only."""
    return {one for one in reachable(tuple(parameters)) if one.key[0] == ("str", "random state")}


def _changed(event: Collective, averages: set[Symbol], known: dict[Symbol, bool]) -> Iterator[Symbol]:
    """The drawn values that a step along an average has changed, in what a rank contributes."""
    for symbol in reachable(freeze(contribution(event))):
        match symbol.key:
            case (("str", "operation"), operator, drawn, step) if operator in _STEPS:
                for own in _leaves(drawn):
                    is_drawn = "random" in own.own and not _holds_average(own, averages, known)
                    if is_drawn and _is_step(step, averages, known):
                        yield own


def _holds_average(symbol: Symbol, averages: set[Symbol], known: dict[Symbol, bool]) -> bool:
    """Whether a symbol is computed from an average; ``known`` are answers, which no later average changes."""
    todo = [symbol]
    while todo:
        one = todo[-1]
        missing = [] if one in known or one in averages else [part for part in one.operands if part not in known]
        if missing:
            todo += missing
            continue
        known.setdefault(todo.pop(), one in averages or any(known[part] for part in one.operands if part in known))
    return known[symbol]


def _leaves(operand: object) -> Iterator[Symbol]:
    """The symbol of an operand, or that of the elements of an array."""
    if isinstance(operand, Symbol):
        yield operand
    elif isinstance(operand, tuple) and operand[:1] == ("array",):
        cells = operand[3] if isinstance(operand[3], tuple) else operand[3:4]
        yield from (cell for cell in cells if isinstance(cell, Symbol))


def _is_step(operand: object, averages: set[Symbol], known: dict[Symbol, bool]) -> bool:
    """Whether an operand is computed from an average and has no data of single ranks."""
    symbols = list(_leaves(operand))
    return bool(symbols) and not any(one.own for one in symbols) and _holds_average(symbols[0], averages, known)
