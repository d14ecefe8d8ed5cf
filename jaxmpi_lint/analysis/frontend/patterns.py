"""Values that a ``case`` pattern reads and names that it binds."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from jaxmpi_lint.analysis import ir


def pattern_operands(
    pattern: cst.MatchPattern, lower: Callable[[cst.CSTNode], ir.Expression]
) -> tuple[tuple[ir.Expression, ...], tuple[ir.Expression, ...], bool]:
    """The values a pattern compares with, the names it binds, and whether it always matches."""
    values: list[ir.Expression] = []
    names: list[ir.Expression] = []
    stack: list[cst.CSTNode] = [pattern]
    while stack:
        node = stack.pop()
        match node:
            case cst.MatchValue() | cst.MatchSingleton():
                values.append(lower(node.value))
            case cst.MatchAs() | cst.MatchStar():
                if node.name is not None:
                    names.append(lower(node.name))
                if isinstance(node, cst.MatchAs) and node.pattern is not None:
                    stack.append(node.pattern)
            case cst.MatchClass():
                values.append(lower(node.cls))
                stack.extend(element.value for element in node.patterns)
                stack.extend(element.pattern for element in node.kwds)
            case cst.MatchMapping():
                stack.extend(element.pattern for element in node.elements)
                if node.rest is not None:
                    names.append(lower(node.rest))
            case cst.MatchList() | cst.MatchTuple():
                stack.extend(
                    element if isinstance(element, cst.MatchStar) else element.value for element in node.patterns
                )
            case cst.MatchOr():
                stack.extend(element.pattern for element in node.patterns)
    irrefutable = isinstance(pattern, cst.MatchAs) and pattern.pattern is None
    return tuple(values), tuple(names), irrefutable


def has_parts(pattern: cst.MatchPattern) -> bool:
    """Whether a pattern describes a sequence, a mapping or the fields of an object."""
    if isinstance(pattern, cst.MatchAs):
        return pattern.pattern is not None and has_parts(pattern.pattern)
    if isinstance(pattern, cst.MatchOr):
        return any(has_parts(one.pattern) for one in pattern.patterns)
    return not isinstance(pattern, (cst.MatchValue, cst.MatchSingleton))
