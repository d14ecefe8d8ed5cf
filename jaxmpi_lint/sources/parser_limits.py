"""Limits of the text passed to LibCST's native parser, checked on the text alone in linear time.

Measured with LibCST 1.9.0 on CPython 3.11 with a stack of 8 MiB; samples at the bounds were parsed with 2 MiB too.
Brackets: SIGSEGV from 1 250 nested parentheses (150 with 1 MiB) and from 800 to 1 500 calls, time and memory with the
square of the depth (200 nested calls 0.2 s and 90 MB, 800 of them 5 s and 1.4 GB); CPython refuses more than 200.
``lambda`` in defaults of ``lambda``: SIGSEGV from 550 (62 with 1 MiB). Every operator, call, subscript, attribute,
adjacent string, ``lambda``, ``not``, ``await``, conditional expression or ``for`` of a comprehension makes the tree one
level deeper, as does ``elif``: time with the square of the length, SIGSEGV from 4 400 levels (400 to 1 300 with 1 MiB),
RecursionError in the tree's Python code where the recursion limit is below 2 to 5 frames a level. Comparisons,
arguments, elements, statements and parameters are flat. A bracket in a ``case`` pattern multiplies the time by up to 4
or 6 for each level (10 levels 4 s), one after ``del`` by 2 (20 levels 1.5 s), valid or not. Otherwise, time and memory
are proportional to the tokens: about 2 kB and 10 us each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jaxmpi_lint.sources import lexical_scan

BRACKETS = 200  # nested; CPython's own limit
DEPTH = 400  # levels of one expression, over all brackets around it
LAMBDA = 5  # levels counted for each: 62 in defaults of each other exhaust a stack of 1 MiB
BRANCHES = 200  # ``elif`` in a row
TOKENS = 300_000  # in a file; 700 MB in the densest code, 30 000 rows of usual code
WIDTH = 1_000_000  # characters of code in one row: blanks and digits cost 150 bytes each
EFFORT = 1_000_000  # squares of the depths of deep expressions, and powers of those of patterns; some 5 s

_SHORT = DEPTH  # a level takes at least one character
_DEEP = 40  # shallower expressions have no noticeable cost
_FLAT = 3  # brackets in patterns that every program may nest

_STRUCTURE = re.compile(r"[()\[\]{}\n\r]")
_LEVEL = re.compile(
    r"[()\[\]{},;\"]|\*\*|//|<<|>>|->|[-+*/%@&|^~]|\.(?=[^\W\d])|\b(?:and|or|not|else|lambda|await|for|yield)\b"
)
_TOKEN = re.compile(r"\w+|[^\w\s\0]")
_CHOICE = re.compile(r"^([ \t]*+)(?:(elif)\b|[^\s#\0])", re.MULTILINE)
_PATTERN = re.compile(r"[ \t\f]*+(?:(case)|del)\b")
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


@dataclass(frozen=True, slots=True)
class _Refusal(Exception):
    reason: str
    offset: int


def refusal(text: str) -> str | None:
    """The reason why a text must not be parsed, or None if it may be."""
    code = lexical_scan.scan(text).code
    try:
        _check_size(code)
        _check_expressions(code)
        _check_branches(code)
    except _Refusal as found:
        row = text.count("\n", 0, found.offset) + 1
        return f"{found.reason}, on line {row}" if row > 1 else found.reason
    return None


def _check_size(code: str) -> None:
    if len(code) <= min(TOKENS, WIDTH):
        return
    tokens = sum(1 for _ in _TOKEN.finditer(code))
    if tokens > TOKENS:
        raise _Refusal(f"{tokens} tokens (limit {TOKENS})", 0)
    offset = 0
    for row in code.splitlines(keepends=True):
        width = len(row) - row.count(lexical_scan.HIDDEN)
        if width > WIDTH:
            raise _Refusal(f"{width} characters of code in one row (limit {WIDTH})", offset)
        offset += len(row)


def _check_expressions(code: str) -> None:
    """Measure every logical line whose length or nesting is significant."""
    effort = depth = deepest = begin = 0
    for match in _STRUCTURE.finditer(code):
        char = match[0]
        if char in _OPENING:
            depth += 1
            deepest = max(deepest, depth)
        elif char in _CLOSING:
            depth -= depth > 0
        elif not depth:
            end = match.start()
            if end - begin > _SHORT or deepest > _FLAT:
                effort += _effort(code, begin, end, deepest)
                _check_effort(effort, begin)
            begin, deepest = end + 1, 0
    if len(code) - begin > _SHORT or deepest > _FLAT:
        _check_effort(effort + _effort(code, begin, len(code), deepest), begin)


def _check_effort(effort: int, offset: int) -> None:
    if effort > EFFORT:
        raise _Refusal("too much deeply nested code", offset)


def _effort(code: str, begin: int, end: int, brackets: int) -> int:
    """The cost of parsing one logical line beyond its length."""
    if brackets > BRACKETS:
        raise _Refusal(f"brackets nested {brackets} deep (limit {BRACKETS})", begin)
    effort = 0
    if end - begin > _SHORT or brackets > _DEEP:
        depth = _depth(code, begin, end)
        if depth > DEPTH:
            raise _Refusal(f"an expression {depth} levels deep (limit {DEPTH})", begin)
        if depth > _DEEP:
            effort = depth * depth
    pattern = _PATTERN.match(code, begin, end) if brackets > _FLAT else None
    if pattern is not None:
        effort += _alternatives(code, begin, end, 4 if pattern[1] else 2)
    return effort


def _depth(code: str, begin: int, end: int) -> int:
    """An upper bound of the levels of the deepest expression in a logical line; the count restarts after a comma."""
    best = own = inside = 0  # of the elements before the last comma; operators since then; deepest bracket since then
    stack: list[tuple[int, int, int]] = []
    for match in _LEVEL.finditer(code, begin, end):
        char = match[0]
        if char in _OPENING:
            stack.append((best, own, inside))
            best = own = inside = 0
        elif char in _CLOSING:
            closed = max(best, own + inside) + 1
            if stack:
                best, own, inside = stack.pop()
            own += 1
            inside = max(inside, closed)
        elif char in ",;":
            best = max(best, own + inside)
            own = inside = 0
        else:
            own += LAMBDA if char == "lambda" else 1
    level = max(best, own + inside)
    for best, own, inside in reversed(stack):
        level = max(best, own + max(inside, level + 1))
    return level


def _alternatives(code: str, begin: int, end: int, base: int) -> int:
    """The number of times the parser may backtrack to the brackets of a statement that it reads without memoization."""
    depth = effort = 0
    for match in _STRUCTURE.finditer(code, begin, end):
        if match[0] in _OPENING:
            depth += 1
            if depth > _FLAT:
                effort += base**depth
        elif match[0] in _CLOSING:
            depth -= depth > 0
    return effort


def _check_branches(code: str) -> None:
    """Count the ``elif`` of one ``if``: each is one level below the one before."""
    if code.count("elif") <= BRANCHES:
        return
    counts: dict[int, int] = {}
    for match in _CHOICE.finditer(code):
        width = len(match[1].expandtabs())
        for inner in [other for other in counts if other > width]:
            del counts[inner]
        if match[2] is not None:
            counts[width] = counts.get(width, 0) + 1
            if counts[width] > BRANCHES:
                raise _Refusal(f"more than {BRANCHES} `elif` of one `if`", match.start())
        elif not code.startswith(("else", "except"), match.end(1)):
            counts.pop(width, None)
