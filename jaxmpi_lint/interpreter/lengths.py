"""Symbols that have equally many items: a container, and the range up to its length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.symbols import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable


MAX_ITEMS = 64


def container(symbol: Symbol) -> object:
    """What a symbol has as many items as: of ``range(len(x))`` it is ``x``, by default the symbol."""
    match symbol.key:
        case (("str", "range"), Symbol() as end) | (("str", "range"), ("int", 0), Symbol() as end):
            return counted(end)
        case (("str", "range"), ("int", int(start)), Symbol() as end, ("int", int(step))) if 0 <= start < step:
            return ("steps to", end, step) if _is_multiple(end, step) else symbol
        case (("str", "items"), items):
            return items
    return symbol


def _is_multiple(end: Symbol, step: int) -> bool:
    """Whether a number is computed as a multiple of a step: each start below the step then has as many steps."""
    match end.key:
        case (("str", "operation"), ("str", "*"), left, right):
            return ("int", step) in (left, right)
    return False


def stated(symbol: Symbol) -> int | None:
    """The number of items that a call states: `jax.random.split(key, 3)` gives three keys."""
    match symbol.key:
        case (("str", "call"), ("library", "jax.random.split"), _, ("dict",)):
            return 2
        case (("str", "call"), ("library", "jax.random.split"), _, ("int", int(number)), *_) if 0 < number <= MAX_ITEMS:
            return number
    return None


def counted(number: Symbol) -> object:
    """The container of which a symbol is the number of items, or the symbol as such a number."""
    match number.key:
        case (("str", "length"), items):
            return items
        case (("str", "item"), ("method", "shape", items), ("int", 0)):
            return items
    return "number of items", number


def items(symbol: Symbol, length_of: Callable[[object], int | None]) -> range | None:
    """The numbers in a range that ends at the length of a container, if they are few."""
    match symbol.key:
        case (("str", "range"), Symbol() as end):
            bounds: tuple[object, ...] = (("int", 0), end)
        case (("str", "range"), _, _) | (("str", "range"), _, _, _):
            bounds = symbol.key[1:]
        case _:
            return None
    known = [_number(bound, length_of) for bound in bounds]
    if any(number is None for number in known) or (len(known) == 3 and known[2] == 0):
        return None
    found = range(*(number for number in known if number is not None))
    return found if not found[MAX_ITEMS:] else None  # ``len`` has a limit


def _number(bound: object, length_of: Callable[[object], int | None]) -> int | None:
    match bound:
        case ("int", int() as number):
            return number
        case Symbol():
            return length_of(counted(bound))
    return None
