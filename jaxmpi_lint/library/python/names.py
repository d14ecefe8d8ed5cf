"""Names of Python's standard library that change what a definition or a call means.

Facts from Python's documentation of ``functools`` and of the builtins.
"""

from __future__ import annotations

PARTIAL = "functools.partial"
"""Returns a callable whose first arguments are given."""

PROPERTY_DECORATORS = frozenset({"property", "functools.cached_property", "cached_property"})
"""Decorators that make a method run when an attribute is read."""
