"""Values that must differ between two ranks: other numbers, other random draws, and what is computed from them.

Two values are compared as descriptions of how they are made. They differ if they are made by the same operations, each
of which gives a different result for a different operand, from numbers that differ.
"""

from __future__ import annotations

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.path_parts import is_made_by_rank
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Value

_NUMBERS = frozenset({"int", "float", "complex"})
_OPERATORS = frozenset({"+", "-", "*", "/", "@", "**", "unary -", "unary +"})
_PARTS = frozenset({"unpacked", "item", "selected"})
_STEPS = _PARTS | {"random", "random state", "random state after", "spawned", "lane", "ravelled", "unravelled"}
_FUNCTIONS = frozenset(
    "array asarray float float32 float64 copy ravel reshape concatenate stack hstack vstack exp tanh sin cos sqrt"
    " square mean sum dot matmul transpose expand_dims squeeze split PRNGKey key fold_in wrap_key_data".split()
)
"""Functions whose results differ where their arguments do, but for chance."""

_DRAWS = "jax.random."
_NEVER_EQUAL = frozenset({("str", "random"), ("str", "clock")})
_DEPTH = 40


def surely_differ(one: Value, other: Value) -> bool:
    """Whether a value of one rank differs from that of another rank in every run."""
    if isinstance(one, Array) and isinstance(other, Array):
        mine, others = one.cells, other.cells
        if mine is not None and others is not None:
            return len(mine) == len(others) and any(map(surely_differ, mine, others))
    return bool(_compared(freeze(one), freeze(other), _DEPTH, {}))


Known = dict[tuple[Symbol, Symbol], bool | None]
"""The outcomes for pairs of symbols: descriptions share their parts."""


def _compared(one: object, other: object, depth: int, known: Known) -> bool | None:
    """Whether two descriptions surely differ; None if that is not known."""
    if one == other:
        return False
    if depth == 0:
        return None
    if isinstance(one, Symbol) and isinstance(other, Symbol):
        if (one, other) not in known:
            known[one, other] = _symbols(one, other, depth - 1, known)
        return known[one, other]
    if not isinstance(one, tuple) or not isinstance(other, tuple) or len(one) != len(other):
        return None
    if len(one) == 2 and one[0] in _NUMBERS and other[0] in _NUMBERS:
        return bool(one[1] != other[1])
    return _parts(one, other, depth, known)


def _parts(one: tuple[object, ...], other: tuple[object, ...], depth: int, known: Known) -> bool | None:
    found = [_compared(mine, others, depth, known) for mine, others in zip(one, other, strict=True)]
    return None if None in found else any(found)


def _symbols(one: Symbol, other: Symbol, depth: int, known: Known) -> bool | None:
    if one.is_guess or other.is_guess or len(one.key) != len(other.key):
        return None
    if is_made_by_rank(one) and is_made_by_rank(other):
        return True if one.key[1] in _NEVER_EQUAL and one.key[4:] == other.key[4:] else None
    if one.key[0] != other.key[0] or not _keeps_apart(one.key):
        return None
    if one.key[0][1] in _PARTS:  # type: ignore[index]
        whole, others = _content(one.key[1]), _content(other.key[1])
        if whole is None or others is None:
            return None
        if whole is others:
            is_of_one_draw = _is_draw(whole) and one.key[1] == other.key[1]
            return _parts(one.key[2:], other.key[2:], depth, known) if is_of_one_draw else None
    return _parts(one.key, other.key, depth, known)


def _content(frozen: object) -> Symbol | None:
    """The symbol that all elements of a value are computed from; None for one with elements of their own."""
    if isinstance(frozen, tuple) and len(frozen) == 5 and frozen[0] == "array":
        frozen = frozen[3]
    return frozen if isinstance(frozen, Symbol) else None


def _keeps_apart(key: tuple[object, ...]) -> bool:
    """Whether an operation gives different results for different operands."""
    head, first = key[0], key[1] if len(key) > 1 else None
    if head == ("str", "operation"):
        return isinstance(first, tuple) and first[1] in _OPERATORS
    if head == ("str", "call"):
        name = _name_of(first)
        return name.startswith(_DRAWS) or name.rpartition(".")[2] in _FUNCTIONS
    return isinstance(head, tuple) and len(head) == 2 and head[1] in _STEPS


def _name_of(function: object) -> str:
    if not isinstance(function, tuple) or len(function) < 2:
        return ""
    return str(function[1]) if function[0] == "library" else ""


def _is_draw(whole: Symbol) -> bool:
    """Whether a value is a draw of random numbers or keys, of which no two parts are equal."""
    is_of_jax = whole.key[0] == ("str", "call") and _name_of(whole.key[1]).startswith(_DRAWS)
    return whole.key[0] == ("str", "random") or is_of_jax
