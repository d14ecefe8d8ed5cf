"""Code that a test expects to fail: the body of ``with pytest.raises(...)`` or ``with self.assertRaises(...)``."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir

_TEST_FOLDERS = frozenset({"test", "tests", "testing"})
_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "catchNotImplementedError", "suppress"})


def is_expected_to_fail(function: ir.Function, span: ir.Span) -> bool:
    """Whether a position lies in a block whose context manager expects an exception."""
    return any(
        isinstance(step, ir.Enter)
        and step.extent[0] <= span[0] < step.extent[1]
        and (ir.dotted(_called(step.context)) or "").rpartition(".")[2] in _EXPECTING
        for step in function.steps()
    )


def is_answered(function: ir.Function, span: ir.Span, exceptions: frozenset[str]) -> bool:
    """Whether a position is in a ``try`` that handles one of these exceptions, or in a block that expects them."""
    return is_expected_to_fail(function, span) or any(
        isinstance(step, ir.Try)
        and step.body[0] <= span[0] < step.body[1]
        and any(handler.kind is None or _names(handler.kind) & exceptions for handler in step.handlers)
        for step in function.steps()
    )


def _names(kind: ir.Expression | None) -> frozenset[str]:
    kinds = kind.elements if isinstance(kind, ir.Collection) else (kind,)
    return frozenset((ir.dotted(part) or "").rpartition(".")[2] for part in kinds if part is not None)


def _called(context: ir.Expression) -> ir.Expression:
    return context.func if isinstance(context, ir.Call) else context


def is_test_file(path: str) -> bool:
    """Whether a file holds tests, by its name or its folder."""
    parts = path.replace("\\", "/").split("/")
    is_named = parts[-1].startswith(("test_", "conftest")) or parts[-1].endswith("_test.py")
    return is_named or bool(_TEST_FOLDERS & set(parts[-3:-1]))
