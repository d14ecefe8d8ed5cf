"""Reductions and functions over values gathered from all processes, by which the processes reach agreement.

Facts from section 6.9.2 of MPI 4.1 (predefined reduction operations), Python's builtins and numpy's documentation.
"""

from __future__ import annotations

TRUE_OF_EVERY = frozenset({"all", "min", "builtins.all", "builtins.min", "numpy.all", "numpy.min"})
"""Functions of a sequence that are true only if every element is."""

TRUE_OF_SOME = frozenset(
    {"any", "max", "sum", "builtins.any", "builtins.max", "builtins.sum", "numpy.any", "numpy.max"}
)
"""Functions of a sequence of truth values that are true if some element is."""

PREDICATES = frozenset(
    {"all", "any", "bool", "exists", "hasattr", "is_dir", "is_file", "isdir", "isfile", "isinstance"}
)
"""Functions and methods, by their last name, that return a truth value."""

REDUCTIONS_TRUE_OF_EVERY = frozenset({"LAND", "MIN", "PROD"})
"""Reduction operations whose result is true only if every operand is."""

REDUCTIONS_TRUE_OF_SOME = frozenset({"LOR", "MAX", "SUM"})
"""Reduction operations on truth values whose result is true if some operand is."""
