"""Symbols that stand for a value which the ranks and constants alone determine, but which was not computed."""

from __future__ import annotations

from jaxmpi_lint.interpreter.symbols import Symbol, reachable

_WORDS = frozenset(
    """item length operation cell text part element filled unpacked transposed reshaped range joined array
    repeated dtype cast arange view unravelled type total tolist sum sorted stacked squeezed strides size shape set
    selected repr ravelled product position formatted flat expanded elements dot counted count counter index indices
    reduced assigned nbytes itemsize""".split()
) | {"text method", "most common"}
"""Operations on their operands alone."""

_MODULES = tuple(
    """numpy. math. builtins. operator. statistics. cmath. re. string. struct. fractions. decimal. datetime. bisect.
    zlib. itertools. functools. collections. textwrap. hashlib. binascii. heapq.""".split()
)
_NOT_PURE = ("numpy.random.", "numpy.load", "numpy.fromfile", "numpy.genfromtxt", "numpy.memmap", "builtins.open")


def is_determined(key: object) -> bool:
    """Whether a choice is about a value that was not computed although nothing from outside of the program is in it.

    Its true outcome is one for each rank; outcomes that are chosen freely may be impossible together.
    """
    parts = key if isinstance(key, tuple) else (key,)
    return all(map(_is_pure, reachable(parts)))


def _is_pure(symbol: Symbol) -> bool:
    if symbol.own or symbol.is_guess or not symbol.key:
        return False
    match symbol.key:
        case (("str", "call"), ("library", str() as dotted), *_):
            return dotted.startswith(_MODULES) and not dotted.startswith(_NOT_PURE)
        case (("str", "call"), ("str" | "method", *_), *_):
            return True
        case (("str", "changed"), _, ("str", _), *_):
            return True
        case (("str", str() as word), *_):
            return word in _WORDS
    return False
