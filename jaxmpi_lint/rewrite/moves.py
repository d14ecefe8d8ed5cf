"""Moving a statement to an earlier place in its block."""

from __future__ import annotations

import re

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.rewrite.source_edits import TextEdit, alone_on_line, indentation, line_ending

_CONTINUES = re.compile(r"(?:elif|else|except|finally|case)\b")


def move_before(
    module: ir.Module, function: ir.Function, span: ir.Span, earlier: ir.Span
) -> tuple[TextEdit, ...] | None:
    """Move the statement around ``span`` to before the statement around ``earlier``.

    None unless both start rows of the same block, and no name that the statement reads is bound in between.
    """
    moved, target = module.statement_around(span), module.statement_around(earlier)
    if not _is_expression_statement(function, moved, span) or not alone_on_line(module, moved):
        return None
    if target[1] > moved[0] or not _same_block(module, target, moved):
        return None
    if _read(function, moved) & _bound(function, (target[0], moved[0])):
        return None
    start = target[0] - len(indentation(module, target))
    first = moved[0] - len(indentation(module, moved))
    end = _behind_row(module.text, moved[1])
    statement = module.text[first : moved[1]] + line_ending(module)
    return ((start, start), statement), ((first, end), "")


def _is_expression_statement(function: ir.Function, statement: ir.Span, span: ir.Span) -> bool:
    """Whether the statement consists of the call alone."""
    return statement == span and any(
        isinstance(step, ir.Discard) and step.value.span == span for step in function.steps()
    )


def _same_block(module: ir.Module, target: ir.Span, moved: ir.Span) -> bool:
    column = indentation(module, moved)
    if indentation(module, target) != column or _CONTINUES.match(module.text, target[0]):
        return False
    rows = module.text[target[0] : moved[0]].splitlines()[1:-1]
    return all(row.startswith(column) for row in rows if row.strip() and not row.lstrip().startswith("#"))


def _read(function: ir.Function, statement: ir.Span) -> frozenset[str]:
    return frozenset(
        node.id
        for step in function.steps()
        if isinstance(step, ir.Discard) and step.value.span == statement
        for node in ir.walk(step.value)
        if isinstance(node, ir.Name)
    )


def _bound(function: ir.Function, extent: ir.Span) -> frozenset[str]:
    """Names that statements of an extent bind."""
    found: set[str] = set()
    for step in function.steps():
        if not extent[0] <= step.span[0] < extent[1]:
            continue
        match step:
            case ir.Assign(targets=targets):
                found |= {node.id for target in targets for node in ir.walk(target) if isinstance(node, ir.Name)}
            case ir.AugmentedAssign(target=ir.Name(id=name)) | ir.Define(name=name):
                found.add(name)
            case ir.Import(names=names):
                found |= {name.bound for name in names}
    return frozenset(found)


def _behind_row(text: str, end: int) -> int:
    found = re.compile(r"\r\n|\n|\r").search(text, end)
    return found.end() if found else len(text)
