"""Comparison of the programs of two processes.

Executables with equal collectives may still compute different results: from a constant that depends on the process
index, or from a different static argument. The unoptimised text of a program (StableHLO) shows the difference.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from jaxmpi_lint.runtime.xla.programs import stablehlo
from jaxmpi_lint.runtime.xla.programs.stablehlo import Line

MOST_DIFFERENCES = 6
"""Differences that are listed."""
_MOST_LINES = 2000  # aligned by content, in quadratic time; more are compared line by line
_LONGEST, _LONGEST_VALUE = 120, 40
_CONSTANT = re.compile(r"(?:%\S+ = )?stablehlo\.constant dense<(.*)> : (tensor<.*>)$")
_DEFINED = re.compile(r"%[\w$.]+")
_OPERATION = re.compile(r'(?:%[\w$.:]* = )?"?(?:stablehlo\.)?')
_ONE_NUMBER = re.compile(r"-?\d+\.\d+E[+-]\d+", re.IGNORECASE)
_USES_SEARCHED = 200
_MAIN = "func.func public @main("
_ARGUMENT = re.compile(r"%arg\d+: (tensor<[^<>]*(?:<[^>]*>)?[^>]*>)")
_NAMED = re.compile(r'(?:%[\w$.:]* = )?("?[\w.]+"?(?: @[\w$.]+)?)')
_FUNCTION = re.compile(r'func\.func (?:\w+ )?@("[^"]+"|[\w$.\-]+)\(')
_SYMBOL = re.compile(r'@("[^"]+"|[\w$.\-]+)')
_FRAMES = re.compile(
    r"(?:%[\w$.:]* = )?(?:(?:stablehlo\.|sdy\.|func\.)?return\b|[\^}]|module\b|stablehlo\.broadcast_in_dim\b|"
    r"sdy\.(?:mesh|manual_computation)\b)"
)


class Weight(IntEnum):
    """How informative a difference is."""

    FRAME = 0  # lines around operations
    CONSEQUENCE = 1  # the same operation on different types
    CAUSE = 2
    ARGUMENTS = 3  # all other differences may follow from them


def program_hash(stablehlo_text: str) -> int:
    """A 64-bit hash of a program, independent of source lines, names, and the process.

    Called functions are hashed as if inlined: whether two calls share a function depends on JAX's caches.
    """
    outside, functions = _functions(stablehlo_text)
    known: dict[str, str] = {}

    def inserted(found: re.Match[str]) -> str:
        name = found[1]
        if name not in functions:
            return found[0]
        if name not in known:
            known[name] = ""
            head, *body = functions[name]
            lines = [_FUNCTION.sub("func.func @(", head), *(_SYMBOL.sub(inserted, line) for line in body)]
            known[name] = hashlib.blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()
        return f"@{known[name]}"

    text = "\n".join([*outside, _SYMBOL.sub(inserted, "@main")])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _functions(stablehlo_text: str) -> tuple[list[str], dict[str, list[str]]]:
    """The normalised lines of a program outside of functions, and those of each function."""
    outside: list[str] = []
    functions: dict[str, list[str]] = {}
    current = outside
    for line in stablehlo_text.splitlines():
        if not line or line.startswith("#loc"):
            continue
        text = stablehlo.neutral(line)
        if (head := _FUNCTION.match(text)) is not None:
            current = functions[head[1]] = []
        current.append(text)
        if line.startswith("  }"):
            current = outside
    return outside, functions


def difference(mine: str, theirs: str) -> tuple[str, ...]:
    """The differences of two programs as lines for the user; none if they are equal.

    "here" is the first program, "there" the second. If the texts have locations (``lowered.as_text(debug_info=True)``),
    a line names where the difference was traced. Differences that follow from other differences are omitted.
    """
    here, there = stablehlo.lines(mine), stablehlo.lines(theirs)
    found = list(_differences(here, there, by_kind=True)) or list(_differences(here, there, by_kind=False))
    weight = max((one for one, _ in found), default=Weight.FRAME)
    told = list(dict.fromkeys(text for one, text in found if one == weight))
    left = len(told) - MOST_DIFFERENCES
    return (*told[:MOST_DIFFERENCES], f"and {left} more") if left > 0 else tuple(told)


def _differences(here: list[Line], there: list[Line], by_kind: bool) -> Iterator[tuple[Weight, str]]:
    """All differences; ``by_kind``: operations that differ only in names of values are equal."""
    mine = [line.kind if by_kind else line.text for line in here]
    theirs = [line.kind if by_kind else line.text for line in there]
    for first, last, other_first, other_last in _blocks(mine, theirs):
        common = min(last - first, other_last - other_first)
        for offset in range(common):
            yield _replaced(here, first + offset, there, other_first + offset)
        yield from (_only("here", here, at) for at in range(first + common, last))
        yield from (_only("there", there, at) for at in range(other_first + common, other_last))


def _blocks(mine: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The blocks in which two sequences differ, as half-open ranges of both."""
    begin, shorter = 0, min(len(mine), len(theirs))
    while begin < shorter and mine[begin] == theirs[begin]:
        begin += 1
    end = 0
    while end < shorter - begin and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    first, second = mine[begin : len(mine) - end], theirs[begin : len(theirs) - end]
    if max(len(first), len(second)) > _MOST_LINES:
        yield from ((at, at + 1, at, at + 1) for at in range(begin, shorter - end) if mine[at] != theirs[at])
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag != "equal":
            yield begin + a, begin + b, begin + c, begin + d


def _replaced(here: list[Line], at: int, there: list[Line], other: int) -> tuple[Weight, str]:
    """The difference between two operations at the same position."""
    mine, theirs = here[at].text, there[other].text
    traced = _traced(here, at) or _traced(there, other)
    constant, other_constant = _CONSTANT.match(mine), _CONSTANT.match(theirs)
    if constant and other_constant and constant[2] == other_constant[2]:
        kind = stablehlo.tensor(constant[2])
        values = f"is {_value(constant[1])} here, {_value(other_constant[1])} there"
        return Weight.CAUSE, f"a constant of type {kind} {values}{traced}"
    if _MAIN in mine and _MAIN in theirs and _arguments(mine) != _arguments(theirs):
        return Weight.ARGUMENTS, f"the arguments are ({_arguments(mine)}) here, ({_arguments(theirs)}) there"
    same = _operation(mine) == _operation(theirs)
    weight = Weight.CONSEQUENCE if same else max(_weight(mine), _weight(theirs))
    return weight, f"`{_shown(here[at])}` here, `{_shown(there[other])}` there{traced}"


def _only(where: str, program: list[Line], at: int) -> tuple[Weight, str]:
    return _weight(program[at].text), f"only {where}: `{_shown(program[at])}`{_traced(program, at)}"


def _weight(text: str) -> Weight:
    return Weight.FRAME if _FRAMES.match(text) else Weight.CAUSE


def _operation(text: str) -> str:
    """The name of an operation; of a custom call, with its target."""
    found = _NAMED.match(text)
    return found[1] if found else text


def _arguments(text: str) -> str:
    return _cut(stablehlo.tensor(", ".join(_ARGUMENT.findall(text))), _LONGEST)


def _traced(program: list[Line], at: int) -> str:
    """Where an operation was traced; for a constant, where it is first used."""
    place = program[at].place
    if _CONSTANT.match(program[at].text) and (name := _DEFINED.match(program[at].text)) is not None:
        use = re.compile(rf"{re.escape(name[0])}(?![\w$.])")
        later = program[at + 1 : at + 1 + _USES_SEARCHED]
        place = next((line.place for line in later if line.place and use.search(line.text)), place)
    return f", traced at {place}" if place else ""


def _value(text: str) -> str:
    """The elements of a constant, numbers in Python's notation."""
    if text.startswith('"0x'):
        return f"data of {(len(text) - 4) // 2} bytes"
    return _cut(_ONE_NUMBER.sub(lambda number: repr(float(number[0])), text), _LONGEST_VALUE)


def _shown(line: Line) -> str:
    return _cut(stablehlo.tensor(_OPERATION.sub("", line.text, count=1)), _LONGEST)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 3]}..."
