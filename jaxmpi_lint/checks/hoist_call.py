"""Repair for a barrier in a branch: the call is moved after the branch, where every process reaches it."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.divergence_story import DivergenceDefect
from jaxmpi_lint.findings.diagnostics import Applicability
from jaxmpi_lint.findings.model import Repair
from jaxmpi_lint.rewrite.source_edits import alone_on_line, indentation

_BARRIERS = frozenset({"barrier", "sync_global_devices", "sync_global_processes"})


def hoist(defect: DivergenceDefect) -> Repair | None:
    """Move a call without data out of the ``if`` whose last statement it is; None if it is not the last one."""
    divergence = defect.divergence
    branch, event, module = divergence.branch, divergence.event, divergence.function.module
    operation = event.operation
    if operation is None or operation.method.lower() not in _BARRIERS or branch.kind != "if":
        return None
    if not _is_statement(divergence.function.ir, event.span) or not alone_on_line(module, event.span):
        return None
    if module.text[event.span[1] : branch.extent[1]].partition("#")[0].strip():
        return None
    outer = indentation(module, branch.extent)
    header = _header_row(module, event.span)
    if outer.strip() or header is None or indentation(module, header) != outer:
        return None
    start = event.span[0] - len(indentation(module, event.span))
    message = "move the call after the branch"
    if module.text[header[1] : start].strip():
        return Repair(Applicability.UNSAFE, message, (((start, event.span[0]), outer),))
    if header[0] != branch.extent[0] or not module.source(header).startswith("if "):
        return None
    return Repair(Applicability.UNSAFE, "move the call out of the branch", (((header[0], event.span[0]), ""),))


def _is_statement(function: ir.Function, span: ir.Span) -> bool:
    return any(isinstance(step, ir.Discard) and step.value.span == span for step in function.steps())


def _header_row(module: ir.Module, span: ir.Span) -> ir.Span | None:
    """The nearest line above with less indentation: the header of the block that contains the statement."""
    depth = len(indentation(module, span))
    row = module.position(span[0])[0] - 1
    while row >= 1:
        start, end = module.line_starts[row - 1], module.line_starts[row]
        text = module.text[start:end]
        stripped = text.lstrip()
        if stripped.strip() and not stripped.startswith("#") and len(text) - len(stripped) < depth:
            return (start + len(text) - len(stripped), start + len(text.rstrip()))
        row -= 1
    return None
