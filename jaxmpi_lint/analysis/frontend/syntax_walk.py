"""Shared traversal: every syntactic rule receives the LibCST nodes of its kinds, in one pass without white space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, Protocol

import libcst as cst

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.frontend.lower_expressions import Spans

if TYPE_CHECKING:
    from jaxmpi_lint.findings.model import Finding

_SKIPPED = ("whitespace", "leading_lines", "lines_after", "header", "footer", "lpar", "rpar", "comma", "semicolon")
_child_fields: dict[type[cst.CSTNode], tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Tree:
    """Context of a node for syntactic rules."""

    module: ir.Module
    spans: Spans

    def span(self, node: cst.CSTNode) -> ir.Span:
        """The span of the node."""
        return self.spans.get(id(node), (0, 0))


class TreeVisitor(Protocol):
    """A rule that receives the nodes of its kinds."""

    listens: ClassVar[tuple[type[cst.CSTNode], ...]]

    def visit(self, node: cst.CSTNode, tree: Tree) -> Iterator[Finding]:
        """Findings at one node."""


def semantic_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """Fields that may hold nodes with a meaning, in evaluation or reading order."""
    known = _child_fields.get(kind)
    if known is None:
        names = [f.name for f in fields(kind) if not f.name.startswith(_SKIPPED)]
        names.sort(key=lambda name: name != "decorators")
        if kind is cst.IfExp:
            names.sort(key=["test", "body", "orelse"].index)
        _child_fields[kind] = known = tuple(names)
    return known


def dispatch(tree: cst.Module, spans: Spans, module: ir.Module, rules: Sequence[TreeVisitor]) -> list[Finding]:
    """Findings of all syntactic rules."""
    listeners: dict[type[cst.CSTNode], list[TreeVisitor]] = {}
    for rule in rules:
        for kind in rule.listens:
            listeners.setdefault(kind, []).append(rule)
    context = Tree(module, spans)
    findings: list[Finding] = []
    stack: list[cst.CSTNode] = [tree]
    while stack:
        node = stack.pop()
        for rule in listeners.get(type(node), ()):
            findings.extend(rule.visit(node, context))
        stack.extend(reversed(_children(node)))
    return findings


def _children(node: cst.CSTNode) -> list[cst.CSTNode]:
    found: list[cst.CSTNode] = []
    for name in semantic_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found.extend(item for item in value if isinstance(item, cst.CSTNode))
    return found
