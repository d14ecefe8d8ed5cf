"""The compact form of a table row, and its conversion to an `Operation` or a `Transform`.

A row is ``(kind, parameters, facts)``: parameters are separated by spaces, with ``=default`` where they have one and
``*`` before keyword-only ones; facts are ``name=value`` pairs or bare names of flags, lists are separated by commas.
Rows are decoded on demand, so that importing the tables costs next to nothing.
"""

from __future__ import annotations

from typing import Any

from jaxmpi_lint.library.model import Kind, Operation, Relation, Result, Tracing, Transform, Versions

Row = tuple[str, str, str]
Rows = dict[str, tuple[Row, ...]]

_LISTS = frozenset({"sends", "receives", "static", "axes"})
_FLAGS = {"nonblocking": ("blocking", False), "buffer": ("buffer", True), "token": ("token", True),
          "attribute": ("attribute", True), "plain": ("decorator", False)}  # fmt: skip


def operation(name: str, row: Row) -> Operation:
    """The operation described by a row of the table of ``name``'s library."""
    kind, parameters, facts = row
    names, defaults = _parameters(parameters)
    fields = _facts(name, facts)
    for field, enumeration in (("result", Result), ("received", Result), ("relation", Relation)):
        if field in fields:
            fields[field] = enumeration(fields[field])
    return Operation(name, Kind(kind), names, defaults, **fields)


def transform(name: str, row: Row) -> Transform:
    """The transform described by a row; its parameters are only those that take functions, as ``name:position``."""
    tracing, parameters, facts = row
    functions = tuple((function, int(position)) for function, _, position in _split(parameters, ":"))
    return Transform(name, Tracing(tracing), functions, **_facts(name, facts))


def _split(text: str, separator: str) -> list[tuple[str, str, str]]:
    return [token.partition(separator) for token in text.split()]


def _parameters(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    tokens = _split(text, "=")
    return tuple(name for name, _, _ in tokens), tuple((name, value) for name, equals, value in tokens if equals)


def _facts(name: str, text: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    release: dict[str, tuple[int, ...]] = {}
    for key, equals, value in _split(text, "="):
        if not equals:
            field, flag = _FLAGS[key]
            fields[field] = flag
        elif key in ("since", "before"):
            release[key] = tuple(int(part) for part in value.split("."))
        else:
            fields[key] = tuple(value.split(",")) if key in _LISTS else value
    if release:
        fields["versions"] = Versions(name.partition(".")[0], release.get("since"), release.get("before"))
    return fields
