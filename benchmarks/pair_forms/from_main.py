"""Programs started from ``main()`` instead of at import, and the reverse."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from pair_forms import statements as of

MAIN = "main.py"


def from_main(texts: Mapping[str, str]) -> dict[str, str] | None:
    """The program with its last statements in ``main()``, below a guard; None if it has a guard or nothing to move.

    Statements that bind names read by functions stay at module level, and so do those before them: all statements run
    in their order.
    """
    body = ast.parse(texts[MAIN]).body
    if any(map(of.is_guard, body)):
        return None
    working = [statement for statement in body if of.is_working(statement)]
    moved = working[_staying(working, of.read_by(item for item in body if isinstance(item, of.DEFINITIONS))) :]
    if not moved:
        return None
    staying = [statement for statement in body if statement not in moved]
    return {**texts, MAIN: of.text([*staying, *_started(moved, of.bound_by(body))])}


def at_import(texts: Mapping[str, str]) -> dict[str, str] | None:
    """The program without its guard; None if it has none."""
    body = ast.parse(texts[MAIN]).body
    unguarded = of.without_guard(body)
    return None if unguarded == body else {**texts, MAIN: of.text(unguarded)}


def _staying(working: Sequence[ast.stmt], read: frozenset[str]) -> int:
    """The number of statements that stay: a name bound among them is not bound by a later one."""
    count, before = 0, -1
    while count != before:
        before = count
        outer = read | of.bound_by(working[:count])
        count = max((index + 1 for index, item in enumerate(working) if of.names(item).bound & outer), default=0)
    return count


def _started(moved: Sequence[ast.stmt], taken: frozenset[str]) -> list[ast.stmt]:
    """The function and its call; a single call of a function of the program needs no further function."""
    if len(moved) == 1 and ast.unparse(moved[0]) == "main()":
        return [of.guard(moved[0])]
    name = of.fresh("main", taken)
    (call,) = ast.parse(f"{name}()").body
    return [of.function(name, [], moved), of.guard(call)]
