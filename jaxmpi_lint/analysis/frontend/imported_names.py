"""The names that import statements bind."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from jaxmpi_lint.analysis import ir


def imported(node: cst.Import) -> Iterator[ir.ImportedName]:
    """The names of ``import target`` and ``import target as name``."""
    for alias in node.names:
        target = _dotted(alias.name)
        if alias.asname is not None:
            yield ir.ImportedName(_dotted(alias.asname.name), target)
        else:
            first = target.partition(".")[0]
            yield ir.ImportedName(first, first)


def imported_from(node: cst.ImportFrom) -> Iterator[ir.ImportedName]:
    """The names of ``from source import target``; ``*`` for all."""
    source = "." * len(node.relative) + (_dotted(node.module) if node.module is not None else "")
    if isinstance(node.names, cst.ImportStar):
        yield ir.ImportedName("*", source)
        return
    separator = "" if source.endswith(".") else "."
    for alias in node.names:
        name = _dotted(alias.name)
        bound = _dotted(alias.asname.name) if alias.asname is not None else name
        yield ir.ImportedName(bound, source + separator + name)


def _dotted(node: cst.CSTNode) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    parts.append(node.value if isinstance(node, cst.Name) else "?")
    return ".".join(reversed(parts))
