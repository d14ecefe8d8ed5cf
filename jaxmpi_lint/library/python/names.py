"""Names of Python's standard library that change the meaning of a definition or a call.

Facts from Python's documentation of ``functools`` and of the builtins.
"""

from __future__ import annotations

PARTIAL = "functools.partial"
"""Returns a callable with its first arguments bound."""

NAME_TABLES = frozenset({"globals", "locals", "vars"})
"""Builtins that return a table of objects by their names."""

CACHED_PROPERTY_DECORATORS = frozenset({"functools.cached_property", "cached_property"})
"""Decorators that make a method run when an attribute is read for the first time."""

PROPERTY_DECORATORS = CACHED_PROPERTY_DECORATORS | {"property"}
"""Decorators that make a method run when an attribute is read."""

CALLBACKS = frozenset({"target", "command", "callback", "on_click", "function"})
"""Parameters for a function that a library calls later: of threads, timers, buttons and handlers of events."""

ANY_SOURCE = "mpi4py.MPI.ANY_SOURCE"
"""Receive from whichever rank sends (MPI 4.1, section 3.2.4)."""

NUMPY = "numpy."
"""The beginning of the names of numpy, whose functions have no effects but those on their arguments."""
