"""Trees that all processes pass to a helper of JAX: it combines them leaf by leaf, so their structures must be equal.

``broadcast_one_to_all(load() if jax.process_index() == 0 else None)``: None has no leaf, so the other processes take no
part in the broadcast.
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.libraries.jax_launches import same_shapes
from jaxmpi_lint.interpreter.libraries.jax_values import leaves
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

_DEEPEST = 8
_NAMED = 3  # keys in a message


def same_trees(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    """Structures or shapes that are surely different."""
    found = difference(first.payload, event.payload)
    if found is not None:
        return Fault(Kind.COUNT, first, lowest, number, event, found)
    return same_shapes(first, lowest, event, number)


def difference(mine: Value, others: Value, depth: int = _DEEPEST) -> str | None:
    """How two trees differ, in the first place where they do; None if they may be alike."""
    if mine is None or others is None:
        present = others if mine is None else mine
        return f"{_named(mine)} and {_named(others)}" if leaves(present) else None
    if depth == 0 or isinstance(mine, GuessedList) or isinstance(others, GuessedList):
        return None
    if isinstance(mine, dict) and isinstance(others, dict):
        if not (_is_known(mine) and _is_known(others)):
            return None
        odd = sorted(repr(key) for key in mine.keys() ^ others.keys())
        if odd:
            more = ", ..." if len(odd) > _NAMED else ""
            return f"trees of which one has {', '.join(odd[:_NAMED])}{more} only"
        return _first(((value, others[key]) for key, value in mine.items()), depth)
    if isinstance(mine, (list, tuple)) and isinstance(others, (list, tuple)):
        if len(mine) != len(others):
            return f"trees of {len(mine)} and {len(others)} parts"
        return _first(zip(mine, others, strict=True), depth)
    return None


def _first(pairs: Iterable[tuple[Value, Value]], depth: int) -> str | None:
    found = (difference(one, other, depth - 1) for one, other in pairs)
    return next((one for one in found if one is not None), None)


def _is_known(tree: dict[Value, Value]) -> bool:
    """Whether the keys are in the text; a dict that is made from what a file holds is empty as far as is known."""
    return bool(tree) and all(isinstance(key, (str, int)) for key in tree)


def _named(tree: Value) -> str:
    return "None" if tree is None else "a value"
