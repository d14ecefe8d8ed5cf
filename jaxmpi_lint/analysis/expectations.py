"""Code that a test expects to fail: what stands in ``with pytest.raises(...)`` or ``with self.assertRaises(...)``."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir

_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "catchNotImplementedError", "suppress"})


def is_expected_to_fail(function: ir.Function, span: ir.Span) -> bool:
    """Whether a place lies in a block whose context manager takes an exception."""
    return any(
        isinstance(step, ir.Enter)
        and step.extent[0] <= span[0] < step.extent[1]
        and (ir.dotted(_called(step.context)) or "").rpartition(".")[2] in _EXPECTING
        for step in function.steps()
    )


def _called(context: ir.Expression) -> ir.Expression:
    return context.func if isinstance(context, ir.Call) else context
