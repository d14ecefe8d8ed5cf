"""Operations of Python that raise an exception for None, from the language reference (data model, expressions)."""

from __future__ import annotations

ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^"})
"""Binary operators without a meaning for None."""

ORDER = frozenset({"<", "<=", ">", ">="})
"""Comparisons without a meaning for None."""

FAILING_FUNCTIONS = frozenset(
    "len iter next sum sorted max min list tuple set dict enumerate reversed int float abs round any all".split()
)
"""Built-in functions that fail if None is their only argument."""
